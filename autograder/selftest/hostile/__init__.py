"""The bank of hostile submissions.

attacks/       one question file each: a header, an honest part, then the attack
packagings.py  folders and zips that are hostile as such
__main__.py    grades them, and looks at what they have gained and left behind
"""
