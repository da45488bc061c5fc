"""Monte Carlo tree search judged by its record: right searches are explained, however they are
written, and what is no tree search is not, whatever its luck."""

from __future__ import annotations

import random
from collections.abc import Callable
from math import inf, log, sqrt
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from autograder.checks.implied_tree import ONE_WRONG, explained
