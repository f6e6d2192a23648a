"""Tacenda makes documents safe to share."""

__version__ = "0.1.0"
