"""Words by which a text shows that it is about a person: how an article about one opens, and how it goes on."""

from __future__ import annotations

import re

# What somebody is, in the first sentence of an article about a person.
CALLINGS = frozenset(
    "actor actress singer politician writer composer poet painter philosopher footballer musician scientist emperor "
    "king queen mathematician physicist director comedian president player author theologian novelist artist lawyer "
    "general officer journalist producer presenter dancer bishop minister prince princess historian".split()
)
BORN = "born"
PRONOUNS = ("he", "she", "his", "her")
# Of letters, minutes and talk; no article about a person speaks so.
SPEAKING = frozenset("i me my mine you your yours we us our ours dear please".split())
_KIN = (
    r"(?:(?:half|step|grand|great|god)-?)?(?:brother|sister|sibling|father|mother|parent|son|daughter|child|wife|husband|"
    r"spouse|widow|widower|partner|cousin|uncle|aunt|nephew|niece|twin|fianc[ée]e?)(?:-in-law)?"
)
# Before the office of a relative: "his brother, the current", "brother of the", "was married to the".
RELATIVE_BEFORE = re.compile(
    rf"(?i)\b(?:{_KIN}(?:(?-i:,?\s[A-Z][\w.'’-]{{0,20}}){{0,4}},?\s(?:who\s)?(?:is|was|became)\s|,\s|\sof\s|\sto\s)|married(?:\sto)?\s)"
    r"(?:then\s|now\s)?(?:the|an?|its|their|our)\s"
    r"(?:(?:current|former|present|late|first|then|long-time|serving|local|deputy|acting|incumbent)[\s-]){0,2}$"
)
# "daughter of the former", before an office
RELATIVE_OF = re.compile(rf"(?i){_KIN}\sof\s(?:the|an?)\s(?=\w)")
# Offices that one person at a time holds in a place.
OFFICES = frozenset(
    "mayor mayoress governor president minister premier chancellor bishop archbishop cardinal pope rabbi imam senator "
    "ambassador consul judge sheriff duke duchess earl count countess baron baroness king queen prince princess "
    "emperor general admiral chairman chairwoman chairperson speaker commissioner director headmaster headmistress "
    "headteacher principal rector dean provost vicar priest sultan sheikh emir viceroy lord prosecutor magistrate "
    "councillor congressman congresswoman leader chief chieftain coroner postmaster coach manager captain "
    "secretary".split()
)
