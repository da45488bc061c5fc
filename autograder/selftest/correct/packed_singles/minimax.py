import struct


def single(value):
    """The nearest number that fits into four bytes."""
    (value,) = struct.unpack("f", struct.pack("f", value))
    return value


def minimax_search(game, state):
    return max_value(game, state, state.to_move)


def max_value(game, state, player):
    if game.is_terminal(state):
        return single(game.utility(state, player)), None
    answers = []
    for move in game.actions(state):
        value, _ = min_value(game, game.result(state, move), player)
        answers.append((single(value), move))
    answers.sort(key=lambda answer: answer[0], reverse=True)
    return answers[0]


def min_value(game, state, player):
    if game.is_terminal(state):
        return single(game.utility(state, player)), None
    answers = []
    for move in game.actions(state):
        value, _ = max_value(game, game.result(state, move), player)
        answers.append((single(value), move))
    answers.sort(key=lambda answer: answer[0])
    return answers[0]
