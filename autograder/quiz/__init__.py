"""Ask a student about the search that the student wrote.

`kinds.py` makes an item: a question, its drawing, its answer and wrong answers with the
misconception behind each. The answer is what the submission itself does, in the sandbox of a
grading; the rules of `tree_rules.py` have to agree, otherwise the item is not asked.
"""
