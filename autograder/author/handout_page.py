"""Make one HTML page from `handout.md`, with its pictures inside."""

import base64
import re
from pathlib import Path

from markdown import Markdown
from markdown.extensions.toc import TocExtension

from autograder.feedback.svg import DARK, LIGHT
from autograder.questions import ROOT

COLOURS = f":root {{ {LIGHT} }} @media (prefers-color-scheme: dark) {{ :root {{ {DARK} }} }}"
CSS = COLOURS + Path(__file__).with_name("handout.css").read_text(encoding="utf-8")


def render_handout(text: str) -> str:
    """Return the page. Raises OSError if one of its pictures is missing."""
    reader = Markdown(
        extensions=[
            *("tables", "fenced_code", "md_in_html"),
            "sane_lists",  # a list begins with the number that is written
            TocExtension(toc_depth="2-2"),
        ]
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
