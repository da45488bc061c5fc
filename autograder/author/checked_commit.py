"""Which commit passed `make check-all`: the local tag `checked`. A release asks for it."""

from __future__ import annotations

import subprocess

from autograder.questions import ROOT

TAG = "checked"


def git(*command: str) -> str:
    """Return what git prints in this repository; nothing if it fails."""
    try:
        done = subprocess.run(["git", *command], cwd=ROOT, capture_output=True, text=True)
    except OSError:
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""


def clean_commit() -> str:
    """Return the commit that the work tree is at; nothing if it differs from the commit."""
    return "" if git("status", "--porcelain") else git("rev-parse", "HEAD")


def mark_checked(commit: str) -> None:
    git("tag", "--force", TAG, commit)


def is_checked() -> bool:
    """Has this work tree, without any change, passed `make check-all`?"""
    commit = clean_commit()
    return bool(commit) and commit == git("rev-parse", "--verify", f"refs/tags/{TAG}^{{commit}}")
