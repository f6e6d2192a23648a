"""Replacers: what may stand in place of a mention."""
