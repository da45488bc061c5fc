"""Make one HTML page from `handout.md`, with its pictures inside."""

import base64
import re

from markdown import Markdown
from markdown.extensions.toc import TocExtension

from autograder.feedback.svg import DARK, LIGHT
from autograder.questions import ROOT

# On a wide screen the contents stay visible beside the text. On a narrow one only long terminal
# lines are wider than the screen, and no text is smaller than 11 px.
CSS = f"""
:root {{ color-scheme: light dark; --page: #ffffff; --code: #f6f8fa; {LIGHT} }}
@media (prefers-color-scheme: dark) {{ :root {{ --page: #11161c; --code: #1a2129; {DARK} }} }}
html {{ scroll-padding-top: 1rem }}
body {{ background: var(--page); color: var(--ink); margin: 0;
  font: 16px/1.5 system-ui, -apple-system, 'Segoe UI', Helvetica, Arial, sans-serif }}
main {{ max-width: 52rem; margin: 0 auto; padding: 0 1rem 4rem; overflow-wrap: break-word }}
h1, h2, h3 {{ line-height: 1.25; margin: 1.5rem 0 .6rem }}
h1 {{ margin-top: 1rem }}
p, ul, ol {{ margin: .7rem 0 }}
ul, ol {{ padding-left: 1.6rem }}
h2 {{ border-bottom: 1px solid var(--line) }}
a {{ color: var(--x) }}
nav {{ font-size: .88rem; padding: 0 1rem }}
nav ul {{ list-style: none; padding: 0; margin: 1rem 0 }}
nav li {{ margin: .3rem 0 }}
nav a {{ text-decoration: none }}
nav a:hover, nav a:focus {{ text-decoration: underline }}
pre, code {{ font: .84em/1.4 ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace }}
pre code {{ font-size: 1em }}
pre {{ overflow-x: auto; background: var(--code); border: 1px solid var(--line);
  border-radius: 6px; padding: .6rem .8rem }}
.pair {{ columns: 2 23rem; column-gap: .8rem }}
.pair pre {{ break-inside: avoid; margin: 0 0 .8rem; font-size: .8em }}
table {{ border-collapse: collapse; margin: .8rem 0; font-size: .94em }}
th, td {{ border: 1px solid var(--line); padding: .15rem .5rem; vertical-align: top }}
img {{ max-width: 100% }}
blockquote {{ border-left: 4px solid var(--line); margin: 1rem 0; padding: 0 1rem }}
@media (min-width: 68rem) {{
  body {{ display: grid; grid-template-columns: 15rem minmax(0, 1fr) }}
  nav {{ position: sticky; top: 0; height: 100vh; overflow-y: auto; box-sizing: border-box;
    border-right: 1px solid var(--line) }}
}}
@media (max-width: 40rem) {{
  nav ul {{ columns: 2 }}
  pre, .pair pre {{ font-size: 11px; padding: .5rem }}
  table {{ font-size: 13.5px }}
  th, td {{ padding: .15rem .3rem }}
  td code {{ overflow-wrap: anywhere }}
}}
@media print {{ nav {{ display: none }} body {{ display: block }} }}
"""


def render_handout(text: str) -> str:
    """Return the page. Raises OSError if one of its pictures is missing."""
    reader = Markdown(
        extensions=["tables", "fenced_code", "md_in_html", TocExtension(toc_depth="2-2")]
    )
    text = re.sub(r"<!--.*?-->\n", "", text)  # otherwise a mark would end its paragraph
    body = re.sub(r"handout/[\w-]+\.svg", embed_picture, reader.convert(text))
    body = body.replace("<pre>", '<pre tabindex="0">')  # can be scrolled by keyboard
    title = re.search(r"<h1[^>]*>(.*?)</h1>", body)
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width,initial-scale=1">'
        f"<title>{title[1] if title else 'Handout'}</title><style>{CSS}</style></head>"
        f'<body><nav aria-label="Contents">{reader.toc}</nav><main>{body}</main></body></html>\n'
    )


def embed_picture(name: re.Match[str]) -> str:
    """Return the picture itself, in place of its name."""
    content = base64.b64encode((ROOT / name[0]).read_bytes()).decode()
    return f"data:image/svg+xml;base64,{content}"
