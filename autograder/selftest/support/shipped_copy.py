"""Copy the project with its shipped settings, on which its tests run whatever the settings are."""

import shutil
import subprocess
import sys
from pathlib import Path

from autograder.author.settings import format_settings
from autograder.questions import ROOT
from autograder.settings import FILE, SHIPPED, Settings

# The project's; an instructor may have a class's export beside them.
FOLDERS = [".ci", ".github", "autograder", "bench", "browser", "docs", "handout", "lab"]
FOLDERS += ["solution", "starter", "tests"]
MAX_FILE = 1_000_000  # bytes, of a file beside the folders


def copy_configured(project: Path, settings: Settings, source: Path = ROOT) -> Path:
    """Copy the project with these settings, which are not applied yet; return the copy."""
    for name in FOLDERS:
        unused = shutil.ignore_patterns("__pycache__", ".*_cache", "node_modules")
        shutil.copytree(source / name, project / name, ignore=unused)
    for file in source.iterdir():
        if file.is_file() and file.stat().st_size <= MAX_FILE:
            shutil.copy(file, project)
    (project / FILE.name).write_text(format_settings(settings), encoding="utf-8")
    return project


def copy_shipped(project: Path, source: Path = ROOT) -> Path:
    """Copy the project and apply the shipped settings; return the copy.

    Raises ValueError if they can't be applied.
    """
    copy_configured(project, SHIPPED, source)
    command = [sys.executable, "-m", "autograder.author.settings"]
    done = subprocess.run(command, cwd=project, capture_output=True, text=True)
    if done.returncode:
        raise ValueError(f"the shipped settings can't be applied: {done.stdout}{done.stderr}")
    if (ROOT / ".venv").exists():
        (project / ".venv").symlink_to(ROOT / ".venv")  # for tests that run make
    return project
