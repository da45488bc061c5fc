"""Change code in one small place, as in first-order mutation testing.

The operators are few, and imply most others: comparisons, conditions, arithmetic, constants, and
statements left out (R. Just, G. Kapfhammer, F. Schweiggert, "Do Redundant Mutants Affect the
Effectiveness and Efficiency of Mutation Analysis?", 2012).
"""

import ast
from collections.abc import Iterator
from typing import Any

NOT_CODE = ("annotation", "returns", "decorator_list")
DELETABLE = (ast.Assign, ast.AugAssign, ast.Expr, ast.Return, ast.If, ast.For, ast.While)
COMPARISONS: dict[type, tuple[type, ...]] = {  # besides, each comparison becomes one constant
    ast.Lt: (ast.LtE, ast.NotEq),
    ast.Gt: (ast.GtE, ast.NotEq),
    ast.LtE: (ast.Lt, ast.Eq),
    ast.GtE: (ast.Gt, ast.Eq),
    ast.Eq: (ast.LtE, ast.GtE),
    ast.NotEq: (ast.Lt, ast.Gt),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
}
OPERATORS: dict[type, type] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.LShift: ast.RShift,
    ast.BitAnd: ast.BitOr,
}


def alter(node: ast.AST, **fields: object) -> ast.AST:
    """Return a copy of a node with some of its fields changed."""
    return type(node)(**{**dict(ast.iter_fields(node)), **fields})


def make_replacements(node: ast.AST) -> Iterator[ast.AST]:
    """Yield what may replace a node."""
    if isinstance(node, ast.Compare):
        for i, op in enumerate(node.ops):
            for other in COMPARISONS.get(type(op), ()):
                yield alter(node, ops=[*node.ops[:i], other(), *node.ops[i + 1 :]])
        if not isinstance(node.ops[0], ast.Is | ast.IsNot):
            yield ast.Constant(isinstance(node.ops[0], ast.LtE | ast.GtE | ast.NotEq))
    elif isinstance(node, ast.BinOp | ast.AugAssign):
        if type(node.op) in OPERATORS:
            yield alter(node, op=OPERATORS[type(node.op)]())
    elif isinstance(node, ast.BoolOp):
        yield alter(node, op=ast.Or() if isinstance(node.op, ast.And) else ast.And())
        yield from node.values
    elif isinstance(node, ast.UnaryOp):
        yield node.operand
    elif isinstance(node, ast.Constant):
        yield from map(ast.Constant, list_other_constants(node.value))
    if isinstance(node, DELETABLE):
        yield ast.Pass()


def list_other_constants(value: object) -> list[Any]:
    if value is None:
        return [0]
    if isinstance(value, bool):
        return [not value]
    if isinstance(value, int | float):
        return [value + 1, 0]
    return [{"X": "O", "O": "X"}.get(str(value), "")]


def walk_code(node: ast.AST, function: str = "") -> Iterator[tuple[Any, Any, str]]:
    """Yield the holder, the key and the function of each node of code below `node`."""
    for field, value in ast.iter_fields(node):
        holder: Any = value if isinstance(value, list) else vars(node)
        for key in range(len(value)) if isinstance(value, list) else [field]:
            child = holder[key]
            text = isinstance(child, ast.Expr) and isinstance(child.value, ast.Constant)
            if isinstance(child, ast.AST) and field not in NOT_CODE and not text:
                name = child.name if isinstance(child, ast.FunctionDef) else ""
                inside = f"{function}.{name}".strip(".")
                yield holder, key, inside
                yield from walk_code(child, inside)
