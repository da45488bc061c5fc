def expectiminimax_search(game, state):
    return expectiminimax(game, state, "X" if state.to_move == "chance" else state.to_move)


def expectiminimax(game, state, player):
    """No recursion: all positions are generated first, then judged from the last to the first."""
    nodes = [(state, None)]  # a position, and the indices of those below
    for i, (here, _) in enumerate(nodes):
        below = []
        if not game.is_terminal(here):
            for move in game.actions(here):
                below.append(len(nodes))
                nodes.append((game.result(here, move), None))
        nodes[i] = here, below
    answers = {}
    for i in range(len(nodes) - 1, -1, -1):
        here, below = nodes[i]
        if not below:
            answers[i] = game.utility(here, player), None
        elif here.to_move == "chance":
            pairs = zip(game.outcomes(here), below)
            answers[i] = sum(p * answers[child][0] for (p, _), child in pairs), None
        else:
            choose = max if here.to_move == player else min
            child = choose(below, key=lambda child: answers[child][0])
            answers[i] = answers[child][0], game.actions(here)[below.index(child)]
    return answers[0]
