"""What the lab says and shows, as HTML made of plain data: a file for each page."""

from lab.pages import check_yourself, kept, measure, parts, play, playground, positions, watch

__all__ = ["check_yourself", "kept", "measure", "parts", "play", "playground", "positions", "watch"]
