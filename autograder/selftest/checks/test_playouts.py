"""Monte Carlo tree search judged by its record: right searches are explained, however they are
written, and what is no tree search is not, whatever its luck."""

from __future__ import annotations
