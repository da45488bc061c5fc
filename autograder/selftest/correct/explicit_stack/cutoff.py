from math import inf


def cutoff_depth(d):
    return lambda game, state, depth: depth > d


def h_alphabeta_search(game, state, cutoff=cutoff_depth(6), h=lambda state, player: 0):
    player = state.to_move

    def value_at_once(state, depth):
        if game.is_terminal(state):
            return game.utility(state, player)
        if cutoff(game, state, depth):
            return h(state, player)
        return None

    value = value_at_once(state, 0)
    if value is not None:
        return value, None
    # A frame: [state, moves left, move that led here, value so far, best move, alpha, beta].
    stack = [[state, iter(game.actions(state)), None, -inf, None, -inf, inf]]
    while True:
        frame = stack[-1]
        mine = len(stack) % 2 == 1
        move = None if frame[5] >= frame[6] else next(frame[1], None)
        if move is None:
            stack.pop()
            if not stack:
                return frame[3], frame[4]
            offer(stack[-1], not mine, frame[3], frame[2])
            continue
        child = game.result(frame[0], move)
        value = value_at_once(child, len(stack))
        if value is None:
            start = inf if mine else -inf
            stack.append([child, iter(game.actions(child)), move, start, None, *frame[5:]])
        else:
            offer(frame, mine, value, move)


def offer(frame, mine, value, move):
    """Take a child's value into its parent's frame."""
    if mine and value > frame[3]:
        frame[3:6] = value, move, max(frame[5], value)
    elif not mine and value < frame[3]:
        frame[3], frame[4], frame[6] = value, move, min(frame[6], value)


def connect_four_heuristic(state, player):
    """Runs of equal marks, looked at along each direction, and the middle column."""
    rows = state.rows
    height, width = len(rows), len(rows[0])
    score = 0
    for r in range(height):
        for c in range(width):
            if rows[r][c] == ".":
                continue
            sign = 1 if rows[r][c] == player else -1
            score += sign * (width // 2 - abs(c - width // 2))
            for dr, dc in ((0, 1), (1, 0), (1, 1), (1, -1)):
                run = room = 0
                open_so_far = True
                for i in range(4):
                    y, x = r + i * dr, c + i * dc
                    if not (0 <= y < height and 0 <= x < width):
                        break
                    if rows[y][x] not in (rows[r][c], "."):
                        break
                    room += 1
                    if rows[y][x] == rows[r][c] and open_so_far:
                        run += 1
                    else:
                        open_so_far = False
                if room == 4:
                    score += sign * (0, 0, 5, 30)[min(run, 3)]
                y, x = r - dr, c - dc
                if run == 3 and 0 <= y < height and 0 <= x < width and rows[y][x] == ".":
                    score += sign * 15
    return score / (abs(score) + 20)
