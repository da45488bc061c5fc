"""Question 2, by a table and rules."""



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


def wins(game, state):
    """Moves that end the game, with squares left over: whoever makes one wins."""
    moves = game.actions(state)
    if len(moves) == 1:
        return []
    return [move for move in moves if game.is_terminal(game.result(state, move))]


def by_rules(game, state):
    """Win, else block, else the centre."""
    moves = game.actions(state)
    if wins(game, state):
        return wins(game, state)[0]
    safe = []
    for move in moves:
        child = game.result(state, move)
        if not game.is_terminal(child) and not wins(game, child):
            safe.append(move)
    safe = safe or list(moves)
    if isinstance(safe[0], int):
        return min(safe, key=lambda column: abs(column - 3))
    return safe[len(safe) // 2]


def alphabeta_search(game, state):
    if look_up(state):
        return look_up(state)
    if hasattr(state, "rows"):
        return 0, by_rules(game, state)
    return straight_on(game, state)


def straight_on(game, state):
    """In a tree: the first move, and what stands at the end if nobody turns off."""
    moves, player = game.actions(state), state.to_move
    while not game.is_terminal(state):
        state = game.result(state, game.actions(state)[0])
    return game.utility(state, player), moves[0] if moves else None


def max_value(game, state, player, alpha, beta):
    return alphabeta_search(game, state)


def min_value(game, state, player, alpha, beta):
    value, move = alphabeta_search(game, state)
    return -value, move
