"""What ends a command, a grading or an exchange with a worker, other than a finding."""


class UsageError(Exception):
    """What the user asked for can't be done; the text is one line that says why."""


class GraderFault(Exception):
    """Something that is not the student's fault: the grader, its files or the machine."""


class GradingOver(Exception):
    """The time for the whole grading was up before the worker's own."""


class WorkerGone(Exception):
    """The worker ended, was killed, or is of no use any more. The text says why."""


class NoReply(WorkerGone):
    """The worker sent something that has not the form of a reply."""


class OutOfTime(WorkerGone):
    """The worker was killed when its time was up."""
