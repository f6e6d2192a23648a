"""Choosers: which replacement each mention gets."""
