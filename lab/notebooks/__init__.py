"""The pages of the lab, one notebook each.

To change one: `marimo edit lab/notebooks/watch.py`.
"""
