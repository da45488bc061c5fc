"""Question 4: playouts by strong players are worth more."""

import random
from math import inf, log, sqrt


class Node:
    def __init__(self, state, parent=None, move=None):
        self.state = state
        self.parent = parent
        self.move = move
        self.children = {}
        self.U = 0.0
        self.N = 0


def ucb(node, C=1.4):
    if node.N == 0:
        return inf
    return node.U / node.N + C * sqrt(log(node.parent.N) / node.N)


def select(node, C=1.4):
    while node.children:
        node = max(node.children.values(), key=lambda child: ucb(child, C))
    return node


def expand(node, game):
    if game.is_terminal(node.state):
        return node
    for move in game.actions(node.state):
        node.children[move] = Node(game.result(node.state, move), node, move)
    return list(node.children.values())[0]


# One letter for each position of tic-tac-toe that is not over: loss, draw or win for who is to
# move, and the square to play.
LETTERS = "abcdefghijklmnopqrstuvwxyzA"
TABLE = (
    "jnknljjnjnujsjsswwsjwAjjjjjsjsuwwjsywljjsAsjjsssssjsujsusswujsujsnuyuukkxmuutuktvvsnuaaAak"
    "asmnpqrllkakjklaaaamamyaalllaaajnunkaajjjwwwjjjsoaojaaAssjjkjmjsswoakajannnnyAAomkrpajaann"
    "rapnnjjparupnajaanpswaapnaanjwjwljnwnyjsjsjjqjqanwnlaujAjjnwnmqAajsajsybbuullklmlutwobpbbp"
    "nnwnyqnvnkbkbbnnbmnrkmmklbrbnnnlbyyzppbrbmrbbbbbkbnpcnccnulculcxwsaswslkjyvvujuljkstsstssu"
    "svvvauwwwwsjssjuxxAuAAstsstssssjujtwssujksswwwkjllssyysaaaxxxlskwsassAwwwwvvyssppjstssosst"
    "AtsssstjjjsszjsawwsssAssswyysaxssrstsssstssaaAtjsjskmmmjtsyqAsssstsssswwwjssxoosssssyqAssj"
    "skjsjwjsssujsjvwuzsuAqsjsjsssysussssusAusysuwjwjsssysswuqysasssssssasssjssssssswjsjswwysww"
    "vxAqAvsxssywwswwxyqssssussusyaAuauassmamjuupzrussssssuuwwwjusoaoussssyaAuslsslsjwwwojvwAwm"
    "wpajpxmszwwzjsanwApsssssssssssssssbuwtutuwubwuuuAuAAutmttuytttuvyttuytyttpxwxwwwkklwuukrrb"
    "tutktztbbkktktkbbwtwwxmwwywwwvvxAAAtvmtxywyywwxkruuuuuuuluuuucuuvvwvvwlwmwwlzwwwmclcrrumvu"
    "ywwyywnwlrzwzwvwwpdwrettttuttutyqAklulttmmvkkuyqAuttttttuuwwwkutooouttttybbutlttltvowwvvvA"
    "vvvwyyvpovtAwwAktxwwyytttttttttttttttwluluvvyuvwwqyvqvuvuuAwAuwwwwyvvvvvwywAwqwuuuuuuuuuuu"
    "uuuudpwdpwutsaauaaaslkaarsaaaaaaksslljjsawautspaatsusssaaajujkuastsyqrajtaaAaaaammyqraaask"
    "jsjsaaAwwwwaayaasssaxaaxajtsvwwswotsvvvsrstakaajkyvAsawwwwssnaxxxrraassaayasakajajjaawwAts"
    "ojssjjjstAyzAppjuusazrsauaaaamamaaaaraaaaslusspaawnanawpzaussaoaoaajuassssssssssssssssssow"
    "npaamrwwazrrzapajapaaaaaaraapawnonawnpawwazpszaaopwjuawasjsvvvlsussjjljaulyzvslwwwwlnssllx"
    "xxlsljsalaaqysawajujnsjwwwjsussjjujsysxzAuAqwjwaaAjwswmjyqAysjjaxjaAamaaqaynnaqqjwwwsjawAw"
    "nwysjsxoaAaaajajaaassAasassjvsssaayzsaaaaassaaswwsasxssaaasassAajjsjjjultbbAtlbbbbbbvvbbyb"
    "bybbutluttpqAbwbwwwpqAuttobobbbkkuttttttttttttttttttvbwpbbvvwbbbAAAbbvvpbbbvybbybyyyowonww"
    "nnnwbboAtAbbopuuuuuuuuuuuuuuuuuuddddddpdeewefvlwcqclwuvwlyqAluAlvclqccmvyccywcycylwnwulnnA"
    "wnwluAucocqdqdywnqqdnwAwfowvvwnvwwvAvovvAdyvdxwwyywAAnAwbubkbutmvvvtkuumtkbububyzAwwxwwwbk"
    "bbklxxxllkkblbbbkrrwubunuywwtptuppyttyxAubAwbxbbAwmwwmmybbtymxbxbAAmbbbbrnnnbrrbxwwbybbwyy"
    "yxbbAbkbbbbkbbtzAtkbkbttvvktbyzAbbbbkbbbbwwwkbbxxtbbbbbyztbbkbtkbnwmcccwmcnmwpzcupzlrccrcm"
    "ccccrcrnrcrwpwncpcwwypyccccdddwddrddeeefwmdndwwndzwrxmvzpdrdenwrfpwzpzccccuccucyuuluuuccuu"
    "vlluuzAuccccccllwwullcuuxlccccyuuucuccucnwwwxmwwvyywvvmyxAdAwwxnfxywyyuujsststulssuasstskj"
    "ssssvajjyzAsstsststssjjwswwsssyssaassstssstsmaajastawwjsxxajsjtstssssyaAststjsksjjssaaAyqr"
    "ujssusvssujsuAssussssjsjusjssuwslsyssjulssxsslsjssaajyzsssassAsvssvsssAssAsjjassssswswwssy"
    "ssaassxsssssasjwsjwxjyzvjAasjsysjvvvswwwwwjAwwxxAAAsysjssysAwjswyjjsswwwjxjsqysaAxxxysjama"
    "uassuwwwssuaoaujuajusussuspzasusuassallssaaaazrwswwvjayvApajjsossrvvvwjwwwwjwawjjyzAppjssz"
    "jszzjswwsswwswwwpassyasapxxxrzssssssssssssssssssssssssssssssssssssssssssssssssssssssuututu"
    "ttuwutAuttttuttukkbtwwlkyzAuubbxttktktuubkbyzAtkttztvtvttvyzttztbtkbkbtzAwwwwwwyzAbbbxtttx"
    "xktbmwwbwxxyzAAAxtytmtvvvtwywwbwtxxAAAxtytyyxwwkwkkwwwwwxxrbkrrAAxxxtykuucuuAcuuyuuuuuvuuu"
    "uuyuuuculccyuuuwuuwwuzAuccuuxxuulluxwwyvvwvwwvxAAAvvxmyyvvvxwwywxyywwxxwwyywwwwxAfAxxxywlw"
    "uwwclyzAuucrmulzuuvvvuwwwwuwwuyxAucApuuyuypxwwlwlwclwwwllcrlrrrcxxxulzwmwvzwmwdwwmyzApdrmv"
    "xmzzvvvwzwpwzzzznwwwenzwrwwwpfrgxxxzxwwmwmwwwddAxxdrmddAAyzdvyzxwwwewweyxffAyyyeerwnnrrrbv"
    "vulttuwwbttubboukuukktuttutpqAtlbltullybbybAwtwwvvvyvvbpvvtvtvvvvwwowwAwkwwkkyzAppkttoAtAk"
    "AtwbtwbwwwyyyyyyxxxyAttttttttttttttttttttttttttttttttttttttttttttttttttttttwvuulvlvyvvlulv"
    "lulAuuvvvuwlwwwuluAlwxzAuAqlAuuuuluAwlwywlwwwyclyyycxxxyuAwvvvvvwvwwvvyvvdyvovvvAvvvvwwAwA"
    "AAAAwxwwwywwwyyyxxxywmvwywmvvdqAmxmvdmvqAyqAyvAwnwAwwwwwnwAxofAyxAyyqeywnyqyuuuuuuuuuuuuuu"
    "uuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuwwvvwwvpddpdvvddvppdzAAzwwwwonwwennwffopzAxzyeeyey"
    "yysjktsajsssjtsssjksalusjausssssssssssssssssssjmnrsapsjwanwospzasrsaoapjjslsaslujsussjujsj"
    "amsjnyqrjajsqjwjwwajsyaAyssjaxjaAvvsssjswwsasxssssasasyssjaaassjsjjsjssAyzAlbutklutttttttt"
    "ttttttttttvvwAyyknwwwotpqAAtobpbkkuuuuuuuuuuuuuuuuuuwAvpdveyyowwpeewewwfzAAzffooppullvclwy"
    "cAlcyclnlucwwulpqAluuAoclqulvmwyqAmqmvdmyqeqyqwnweqAnwwwwnyqAyyAofxoqAvnwvwvovvvvAvpvyvvew"
    "wwwwwexxxyAyyyyowwnwnnwnwwAooAApAAAAyzAgpqutkuklutuutmbmwnkyqrxAkbkrwwwytyxAvtvktkwwwkbxtx"
    "kbktkbbyzAbktktbkktztyzAumumccwlczrlclrlcnwnuppuuourwwmyzdxAmdmdeerrrrwewewwyyyxfAnwdmwomv"
    "vvmrzmpryzAewnwwwnrnwxxxrzprgpgrwnwpnnwzwpzozpzzyzApgruvuuucuwwuccluxxlluulllucyzAcuuucuuu"
    "yuuuuAwdwwmmxvvvyymmxAyzAwnxwwwnnwwnnxxxyyqxrAqrhwwewwywwyxyyyyxxAAAssjsssjsjjsjsjjjssjsss"
    "ssssssktktkkkktuuuluumvwAyynwwwwxyzAAxxyyqruuullulummvvnwyzAozpzrwnwwwoyzAprxxpzrmmmwwwxAy"
    "ynwwxpqrrAyzrkktktttttulululllvvvwwnyzAoApAqAwwwyyxAmvmmwwwnwxopAqoyAyqAwnoyqrqyqAuuuuuuvv"
    "wwwwnooppqroApzAwyyA"
)
THREES = ("012", "345", "678", "036", "147", "258", "048", "246")


def read_table():
    """The table as a dictionary from a board, as nine letters, to (value, square)."""
    found, layer = {}, {"." * 9}
    letters = iter(TABLE)
    while layer:
        after = set()
        for board in sorted(layer):
            number = LETTERS.index(next(letters))
            found[board] = number // 9 - 1, number % 9
            player = "O" if board.count("X") > board.count("O") else "X"
            for i in range(9):
                if board[i] == ".":
                    new = board[:i] + player + board[i + 1 :]
                    won = any({new[int(k)] for k in three} in ({"X"}, {"O"}) for three in THREES)
                    if "." in new and not won:
                        after.add(new)
        layer = after
    return found


KNOWN = read_table()


def look_up(state):
    """(value, move) of a position of tic-tac-toe, None for any other game."""
    rows = getattr(state, "rows", None)
    if rows is None or "".join(rows) not in KNOWN:
        return None
    value, square = KNOWN["".join(rows)]
    return value, (square // 3, square % 3)


def simulate(game, state, rng):
    player = "O" if state.to_move == "X" else "X"
    while not game.is_terminal(state):
        known = look_up(state)
        state = game.result(state, known[1] if known else rng.choice(game.actions(state)))
    return game.utility(state, player)


def backprop(node, utility):
    while node is not None:
        node.U += utility
        node.N += 1
        utility = -utility
        node = node.parent


def monte_carlo_tree_search(game, state, playouts=1000, C=1.4, rng=None):
    rng = rng or random.Random()
    root = Node(state)
    for _ in range(playouts):
        leaf = select(root, C)
        child = expand(leaf, game)
        utility = simulate(game, child.state, rng)
        backprop(child, utility)
    best = max(root.children.values(), key=lambda child: child.N)
    return best.U / best.N, best.move
