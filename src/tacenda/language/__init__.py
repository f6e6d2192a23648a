"""What only a speaker of the language knows: its words, names, numbers, dates and sentences.

Every other room asks here and never names a folder, so a second language is a folder like `en/` that offers the same
names, and one line below that says which one speaks.
"""

from tacenda.language.en import *  # noqa: F403
