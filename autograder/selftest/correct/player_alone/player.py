import time


class OutOfTime(Exception):
    pass


class Player:
    def __init__(self):
        self.moves_seen = []

    def reset(self):
        self.moves_seen.clear()

    def opponent_played(self, move):
        self.moves_seen.append(move)

    def lines(self, height, width):
        found = []
        for row in range(height):
            for column in range(width):
                for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                    squares = [(row + i * down, column + i * right) for i in range(4)]
                    if all(0 <= r < height and 0 <= c < width for r, c in squares):
                        found.append(sum(1 << r * width + c for r, c in squares))
        return found

    def choose(self, game, state):
        rows = state.rows
        self.height, self.width = len(rows), len(rows[0])
        self.all_lines = self.lines(self.height, self.width)
        self.lines_by_bit = {
            1 << i: [line for line in self.all_lines if line >> i & 1]
            for i in range(self.height * self.width)
        }
        mine = theirs = 0
        for r, row in enumerate(rows):
            for c, square in enumerate(row):
                if square == state.to_move:
                    mine |= 1 << r * self.width + c
                elif square != ".":
                    theirs |= 1 << r * self.width + c
        self.order = sorted(range(self.width), key=lambda c: abs(2 * c - self.width + 1))
        self.end = time.process_time() + 0.15
        legal = game.actions(state)
        best = next(c for c in self.order if c in legal)
        empty = self.height * self.width - bin(mine | theirs).count("1")
        try:
            for depth in range(1, empty + 1):
                value, move = self.search(mine, theirs, depth, -2.0, 2.0)
                if value > -1:
                    best = move
                if abs(value) >= 1:
                    break
        except OutOfTime:
            pass
        return best

    def drop(self, stones, column):
        for row in range(self.height - 1, -1, -1):
            bit = 1 << row * self.width + column
            if not stones & bit:
                return bit
        return 0

    def search(self, mine, theirs, depth, alpha, beta):
        if time.process_time() > self.end:
            raise OutOfTime
        best_move = None
        for column in self.order:
            bit = self.drop(mine | theirs, column)
            if not bit:
                continue
            after = mine | bit
            if any(line & after == line for line in self.lines_by_bit[bit]):
                return 1.0, column
            if depth == 1:
                value = self.look(after, theirs)
            else:
                value = -self.search(theirs, after, depth - 1, -beta, -alpha)[0]
            if best_move is None or value > alpha:
                best_move = column
                alpha = max(alpha, value)
            if alpha >= beta:
                break
        return (0.0, None) if best_move is None else (alpha, best_move)

    def look(self, mine, theirs):
        total = 0
        for line in self.all_lines:
            m, t = bin(line & mine).count("1"), bin(line & theirs).count("1")
            if m and not t:
                total += m * m
            elif t and not m:
                total -= t * t
        return total / (100 + abs(total)) * 0.9
