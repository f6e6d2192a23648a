"""Read files into documents and write them back in the same format."""

from tacenda.read.source import FORMATS, MAX_CHARACTERS, Item, Source, open_bytes, open_file

__all__ = ["FORMATS", "MAX_CHARACTERS", "Item", "Source", "open_bytes", "open_file"]
