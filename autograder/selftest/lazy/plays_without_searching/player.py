class Player:
    def choose(self, game, state):
        moves = game.actions(state)
        for move in moves:
            if game.utility(game.result(state, move), state.to_move) > 0:
                return move
        return min(moves, key=lambda column: abs(column - len(state.rows[0]) // 2))
