"""Define what all cases have in common: a position of a game, and a form as text.

Students see a public case by its number, and any other case as its whole text.
"""

from __future__ import annotations

import base64
import contextlib
import json
import zlib
from dataclasses import MISSING, dataclass, fields
from functools import cache, cached_property, partial
from typing import Annotated, Any, ClassVar, get_type_hints

from autograder.errors import UsageError
from autograder.serving.game_server import GameServer
from autograder.worker.forms import form_of, items, parse, whole
from autograder.worker.inside.protocol import make_game, make_state
from starter.games import GAMES, BoardGame, Game, GameTree, State

MAX_SIDE = 20  # squares of a board
MAX_PARAMETER = 1000  # of any other game
MAX_TOKEN = 30_000  # characters of a case's text
MAX_CASE = 200_000  # bytes of a case's JSON
read_field_types = cache(partial(get_type_hints, include_extras=True))


def is_game(spec: list[Any]) -> bool:
    """Does it name a game that is not too large?"""
    game = GAMES.get(spec[0]) if spec and isinstance(spec[0], str) else None
    if game is None or issubclass(game, GameTree):
        return game is not None
    largest = MAX_SIDE if issubclass(game, BoardGame) else MAX_PARAMETER
    sizes = [given if isinstance(given, list) else [given] for given in spec[1:]]  # Nim has a list
    return all(items(whole())(numbers) and sum(numbers) <= largest for numbers in sizes)


GameSpec = Annotated[list[Any], is_game]


@dataclass(frozen=True, kw_only=True)
class Case:
    """One case of one graded test: a position of a game.

    index: the number of a public case, from 1; None for any other
    part:  the number of its position, from 1, if it is one of a public case; 0 for a whole case
    game:  the argument of `make_game`; `state`: of `make_state`, by default the initial state
    earlier: a game with equal states of other values, which is searched first
    diagnosable: (of the kind) its test examines a single search or phase, so a failure can identify
                 the mistake
    """

    diagnosable: ClassVar[bool] = False
    number: str = ""
    index: int | None = None
    part: int = 0
    game: GameSpec
    state: str | None = None
    earlier: GameSpec | None = None

    @property
    def trait(self) -> str:
        """What it shares with some other cases, in words; mistakes may depend on it."""
        return ""

    @property
    def name(self) -> str:
        """The argument of `make test CASE=`."""
        within = f".{self.part}" if self.part else ""
        return f"{self.number}/{f'{self.index}{within}' if self.index else self.token}"

    @property
    def token(self) -> str:
        """The whole case as text, so that it can be rerun without its file."""
        packed = zlib.compress(json.dumps(self.plain(), separators=(",", ":")).encode(), 9)
        return "~" + base64.urlsafe_b64encode(packed).decode().rstrip("=")

    @classmethod
    def from_name(cls, number: str, token: str) -> Case:
        """Read a case from its text. Raises UsageError if it is damaged."""
        try:
            data = parse(unpack(token))
        except (ValueError, zlib.error):
            raise UsageError(
                "the case's text is damaged: copy all of it, from ~ to the end"
            ) from None
        with contextlib.suppress(
            ArithmeticError, AttributeError, LookupError, TypeError, ValueError
        ):
            case = cls.from_plain(number, None, data)
            if case.fits():
                return case
        raise cls.misfit(number)

    @staticmethod
    def misfit(number: str) -> UsageError:
        """Return the error for a text that is no case of a test."""
        return UsageError(f"this is no case of test {number}: copy all of it, number and text")

    @classmethod
    def from_plain(cls, number: str, index: int | None, data: Any) -> Case:
        """Make a case from plain data. Raises ValueError if it does not fit this kind."""
        try:
            case = cls(number=number, index=index, **data)
        except TypeError as problem:
            raise ValueError(f"{number}/{index} is no {cls.__name__}: {problem}") from None
        types = read_field_types(cls)  # type: ignore[arg-type]  # a class can be hashed
        for name, value in data.items():
            if not form_of(types[name])(value):
                raise ValueError(f"{number}/{index} is no {cls.__name__}: {name} is {value!r:.40}")
        return case

    def plain(self) -> dict[str, Any]:
        """Return the case as plain data: every field that is not at its default."""
        return {
            f.name: value
            for f in fields(self)
            if (value := getattr(self, f.name))
            != (f.default if f.default_factory is MISSING else f.default_factory())
            and f.name not in ("number", "index", "part")
        }

    def draw_for(self, submission: str) -> Case:
        """Return the case for that submission; by default all get the same one."""
        return self

    def fits(self) -> bool:
        """Do the fields fit together? Otherwise it may also raise what its game raises."""
        server = self.make_server()
        if server.h:
            server.h(server.root)
        return self.earlier is None or bool(make_state(make_game(self.earlier), server.root.key))

    @cached_property
    def start(self) -> tuple[Game, State]:
        game = make_game(self.game)
        return game, make_state(game, self.state)

    def make_game(self) -> Game:
        return self.start[0]

    def make_state(self) -> State:
        return self.start[1]

    def make_server(self) -> GameServer:
        """Return the game, to be served from the case's position."""
        return GameServer(*self.start)


def unpack(token: str) -> bytes:
    """Return the JSON in a case's text. Raises ValueError, zlib.error."""
    if len(token) > MAX_TOKEN:
        raise ValueError("too long")
    packed = base64.urlsafe_b64decode(token[1:] + "=" * (-len(token[1:]) % 4))
    unpacking = zlib.decompressobj()
    data = unpacking.decompress(packed, MAX_CASE)
    if not unpacking.eof:
        raise ValueError("not whole, or too long")
    return data
