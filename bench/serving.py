"""How many requests a second a served game answers, with both processes on one core and without."""

from statistics import median
from time import perf_counter

from autograder.checks.student import Student
from autograder.serving.cases import Case
from autograder.submission import read_submission
from autograder.worker.sandbox import Sandbox

SEARCHES = 3


def requests_per_second(pin: bool) -> float:
    """The median over some alpha-beta searches of the empty tic-tac-toe board."""
    submission = read_submission("solution")
    sandbox = Sandbox(submission, pin=pin)
    student = Student(submission, sandbox)
    case = Case(game=["TicTacToe", 3, 3, 3])
    rates = []
    try:
        for _ in range(SEARCHES):
            student.begin(60)
            start = perf_counter()
            search = student.serve("alphabeta.alphabeta_search", case)
            rates.append(len(search.served.events) / (perf_counter() - start))
    finally:
        student.end()
        sandbox.remove()
    return median(rates)
