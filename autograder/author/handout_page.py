"""The handout as one page for the browser, made from `handout.md` with its pictures inside."""

from __future__ import annotations

import base64
import re

from markdown import Markdown
from markdown.extensions.toc import TocExtension

from autograder.questions import ROOT
from autograder.svg import DARK, LIGHT

CSS = (
    f":root{{color-scheme:light dark;--page:#ffffff;{LIGHT}}}"
    f"@media(prefers-color-scheme:dark){{:root{{--page:#11161c;{DARK}}}}}"
    "body{background:var(--page);color:var(--ink);margin:0 auto;max-width:50rem;"
    "padding:1rem 1rem 4rem;"
    "font:16px/1.55 system-ui,-apple-system,'Segoe UI',Helvetica,Arial,sans-serif}"
    "h1,h2,h3{line-height:1.25;margin:2.2rem 0 .6rem}h2{border-bottom:1px solid var(--line)}"
    "a{color:var(--x)}nav{font-size:.93rem}nav ul{padding-left:1.2rem;margin:.2rem 0}"
    "pre,code{font:.86em ui-monospace,Menlo,Consolas,'DejaVu Sans Mono',monospace}"
    "pre{overflow-x:auto;border:1px solid var(--line);border-radius:6px;padding:.7rem .9rem}"
    "table{border-collapse:collapse;display:block;overflow-x:auto;margin:1rem 0}"
    "th,td{border:1px solid var(--line);padding:.25rem .6rem;vertical-align:top}"
    "img{max-width:100%}blockquote{border-left:4px solid var(--line);margin:1rem 0;padding:0 1rem}"
    "@media print{nav{display:none}}"
)


def handout_page(text: str) -> str:
    """Return the page. Raises OSError where one of its pictures is missing."""
    reader = Markdown(extensions=["tables", "fenced_code", TocExtension(toc_depth="2-2")])
    body = re.sub(r"handout/[\w-]+\.svg", picture, reader.convert(text))
    title = re.search(r"<h1[^>]*>(.*?)</h1>", body)
    end = title.end() if title else 0  # the contents come after the title
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width,initial-scale=1">'
        f"<title>{title[1] if title else 'Handout'}</title><style>{CSS}</style></head>"
        f"<body>{body[:end]}<nav>{reader.toc}</nav>{body[end:]}</body></html>\n"
    )


def picture(name: re.Match[str]) -> str:
    """The picture itself, in place of its name."""
    content = base64.b64encode((ROOT / name[0]).read_bytes()).decode()
    return f"data:image/svg+xml;base64,{content}"
