"""How fast `class similar` is and what it finds: `python -m bench.similar`; two minutes, one core.

Seconds are of computing: reading all files, and comparing all pairs. Recall is the share of planted
copies that is found, "false" that of independent pairs over the line; see `seeded_class.py`.
"""

from __future__ import annotations

import json
import time
from pathlib import Path
from statistics import mean

from autograder.cohort.suspicious_pairs import Comparison, read
from autograder.feedback.report import write_whole
from autograder.selftest.support.seeded_class import planted, planted_in_banks, students

FIGURES = Path(__file__).with_name("figures.json")


def seconds(count: int) -> float:
    """What a class of this size takes."""
    files = [student.files for student in students(count)]
    start = time.process_time()
    Comparison([read(one) for one in files]).pairs(count)
    return round(time.process_time() - start, 1)


def main() -> None:
    classes = [planted(260, 40, seed) for seed in range(4)]
    banks = planted_in_banks()
    found = {
        "seconds": {str(count): seconds(count) for count in (300, 2000)},
        "recall": round(mean(recall for recall, _ in classes), 3),
        "false": round(mean(false for _, false in classes), 4),
        "recall_in_banks": round(banks[0], 3),
        "false_in_banks": round(banks[1], 4),
    }
    print(json.dumps(found, indent=2))
    figures = json.loads(FIGURES.read_text(encoding="utf-8")) | {"similar": found}
    write_whole(FIGURES, json.dumps(figures, indent=2) + "\n")


if __name__ == "__main__":
    main()
