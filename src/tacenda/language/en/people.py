"""Words by which a text shows that it is about a person: how an article about one opens, and how it goes on."""

from __future__ import annotations

# What somebody is, in the first sentence of an article about a person.
CALLINGS = frozenset(
    "actor actress singer politician writer composer poet painter philosopher footballer musician scientist emperor "
    "king queen mathematician physicist director comedian president player author theologian novelist artist lawyer "
    "general officer journalist producer presenter dancer bishop minister prince princess historian".split()
)
BORN = "born"
PRONOUNS = ("he", "she", "his", "her")
