"""Find in question files what the grader's Python, which may be older than this one, lacks."""

import ast
import builtins
import io
import re
import sys
import token
import tokenize
from collections.abc import Iterator, Mapping
from itertools import product

from autograder.settings import SETTINGS

Version = tuple[int, int]
THIS_PYTHON: Version = sys.version_info[:2]
GRADERS_PYTHON: Version = (3, int(SETTINGS.python.partition(".")[2]))

# Names that student code may use, by the version of Python that has them first: modules, names in
# them, and built-in names.
NAMES: dict[Version, str] = {
    (3, 11): """
        tomllib ExceptionGroup BaseExceptionGroup contextlib.chdir datetime.UTC enum.ReprEnum
        enum.StrEnum enum.member enum.nonmember enum.property enum.verify math.cbrt math.exp2
        operator.call sys.exception typing.LiteralString typing.Never typing.NotRequired
        typing.Required typing.Self typing.TypeVarTuple typing.Unpack typing.assert_never
        typing.assert_type typing.dataclass_transform typing.reveal_type""",
    (3, 12): """
        collections.abc.Buffer itertools.batched math.sumprod random.binomialvariate
        typing.TypeAliasType typing.override""",
    (3, 13): """
        PythonFinalizationError copy.replace math.fma typing.NoDefault typing.ReadOnly
        typing.TypeIs warnings.deprecated""",
    (3, 14): """
        annotationlib compression functools.Placeholder heapq.heapify_max heapq.heappop_max
        heapq.heappush_max heapq.heappushpop_max heapq.heapreplace_max operator.is_none
        operator.is_not_none string.templatelib""",
}
# In the test of an `if`, or after `except`: a file has something else for older versions.
GUARDS = re.compile("version_info|TYPE_CHECKING|ImportError|ModuleNotFound|Attribute|Exception")
SINCE = {name: version for version, names in NAMES.items() for name in names.split()}


def list_newer_parts(
    files: Mapping[str, bytes],
    grader: Version = GRADERS_PYTHON,
    running: Version = THIS_PYTHON,
) -> list[str]:
    """Return a line on the first part of each file that the grader's Python lacks.

    A file that this Python can't read has none: its error is reported when it is loaded.
    """
    lines = []
    for name, source in files.items() if running > grader else ():
        try:
            tree = ast.parse(source)
            parts = [*find_syntax(tree, source), *find_names(tree)]
            parts += find_f_strings(source) if running >= (3, 12) else ()
            parts += find_early_annotations(tree) if running >= (3, 14) else ()
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            continue
        if newer := [part for part in parts if part[2] > grader]:
            line, what, version = min(newer)
            new = f"is new in Python {version[0]}.{version[1]}"
            theirs = f"{SETTINGS.platform_name} has Python {grader[0]}.{grader[1]}"
            lines.append(f"{name}, line {line}: {what} {new}; {theirs}, where it is an error")
    return lines


Part = tuple[int, str, Version]  # its line, what it is, and the first version that has it


def find_syntax(tree: ast.Module, source: bytes) -> Iterator[Part]:
    """Yield the newest syntax that some older Python refuses, but for f-strings."""
    for version in sorted(NAMES, reverse=True):
        try:
            ast.parse(source, feature_version=(version[0], version[1] - 1))
        except SyntaxError as error:
            what = error.msg.partition(" only supported ")[0].removesuffix(" is").lower()
            what = what.removesuffix(" are")
            groups = [node for node in ast.walk(tree) if type(node).__name__ == "TryStar"]
            lines = [node.handlers[0].lineno for node in groups]  # type: ignore[attr-defined]
            line = min(lines) if "exception groups" in what else error.lineno
            yield line or 1, f"this syntax ({what})", version
            return


def find_f_strings(source: bytes) -> Iterator[Part]:
    """Yield f-strings with quotes, backslashes or comments that 3.11 refuses in them."""
    quotes: list[str] = []  # of the f-strings around a token
    for part in tokenize.tokenize(io.BytesIO(source).readline):
        kind = token.tok_name[part.type]
        if kind == "FSTRING_END":
            quotes.pop()
        around = quotes[:-1] if kind == "FSTRING_MIDDLE" else quotes
        if around and kind != "FSTRING_END":
            text = part.string
            again = any(quote in text for quote in around)
            newline = kind == "NL" and len(around[-1]) == 1
            if again or newline or "\\" in text or kind == "COMMENT":
                what = "its own kind of quotes" if again else "a comment or a line break"
                what = "a backslash" if "\\" in text and not again else what
                yield part.start[0], f"{what} in the braces of an f-string", (3, 12)
        if kind == "FSTRING_START":
            quotes.append(part.string.lstrip("fFrR"))


def find_names(tree: ast.Module) -> Iterator[Part]:
    """Yield names of the standard library that some older Python lacks."""
    modules: dict[str, str] = {}  # by the name that the file gives them
    names = [node for node in ast.walk(tree) if isinstance(node, ast.Name)]
    own = {name.id for name in names if not isinstance(name.ctx, ast.Load)}
    for node in list_unguarded(tree):
        used: list[str] = []
        if isinstance(node, ast.Import):
            used = [alias.name for alias in node.names]
            for alias in node.names:
                modules[alias.asname or alias.name] = alias.name
        elif isinstance(node, ast.ImportFrom) and not node.level:
            used = [str(node.module), *(f"{node.module}.{alias.name}" for alias in node.names)]
            for alias in node.names:
                modules[alias.asname or alias.name] = f"{node.module}.{alias.name}"
        elif isinstance(node, ast.Attribute):
            value = ast.unparse(node.value)
            used = [f"{modules[value]}.{node.attr}"] if value in modules else []
        elif isinstance(node, ast.Name) and node.id not in {*own, *modules}:
            used = [node.id] if node.id[:1].isupper() else []
        for name in used:
            if name in SINCE:
                yield node.lineno, name, SINCE[name]  # type: ignore[attr-defined]


def list_unguarded(tree: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes, in order, but for those that a file has something else for."""
    for node in ast.iter_child_nodes(tree):
        guards = [node.test] if isinstance(node, ast.If) else []
        if isinstance(node, ast.Try):
            guards = [handler.type or ast.Name("Exception") for handler in node.handlers]
        if not any(GUARDS.search(ast.unparse(guard)) for guard in guards):
            yield node
            yield from list_unguarded(node)


def find_early_annotations(tree: ast.Module) -> Iterator[Part]:
    """Yield annotations with a name that is defined later: 3.13 evaluates them at once."""
    if any(isinstance(node, ast.ImportFrom) and node.module == "__future__" for node in tree.body):
        return
    later = {node.name for node in tree.body if isinstance(node, ast.ClassDef)} - set(dir(builtins))
    for node in tree.body:
        for part in node.body if isinstance(node, ast.ClassDef) else [node]:
            # Of annotations; those inside a function are not evaluated.
            owners: list[ast.AST] = [part]
            if isinstance(part, ast.FunctionDef):
                owners += ast.walk(part.args)
            for owner, field in product(owners, ("annotation", "returns")):
                annotation = getattr(owner, field, None)
                for name in ast.walk(annotation) if annotation else ():
                    if isinstance(name, ast.Name) and name.id in later:
                        what = f"an annotation with {name.id} before its class is complete"
                        yield name.lineno, what, (3, 14)
        if isinstance(node, ast.ClassDef):
            later.discard(node.name)
