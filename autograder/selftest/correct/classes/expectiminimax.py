class Search:
    def __init__(self, game, player):
        self.game, self.player = game, player

    def look(self, state):
        if self.game.is_terminal(state):
            return self.game.utility(state, self.player), None
        return getattr(self, "at_" + self.kind(state))(state)

    def kind(self, state):
        if state.to_move == "chance":
            return "chance"
        return "max" if state.to_move == self.player else "min"

    def below(self, state):
        return [
            (self.look(self.game.result(state, move))[0], i, move)
            for i, move in enumerate(self.game.actions(state))
        ]

    def at_max(self, state):
        value, _, move = max(self.below(state), key=lambda found: (found[0], -found[1]))
        return value, move

    def at_min(self, state):
        value, _, move = min(self.below(state), key=lambda found: found[:2])
        return value, move

    def at_chance(self, state):
        total = 0
        for chance, move in self.game.outcomes(state):
            total += chance * self.look(self.game.result(state, move))[0]
        return total, None


def expectiminimax_search(game, state):
    return expectiminimax(game, state, "O" if state.to_move == "O" else "X")


def expectiminimax(game, state, player):
    return Search(game, player).look(state)
