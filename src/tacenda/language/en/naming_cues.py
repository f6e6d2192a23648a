"""Words beside which letters are somebody's: initials after a task, an account in a path, a child of a family.

Every expression repeats possessively or up to a small limit, so that searching is quick.
"""

from __future__ import annotations

import re

# "Action: TQ to call", "Owner: RB/TQ": two or three capitals right after who is to act.
_LETTERS = r"[A-Z][a-z]{0,2}[A-Z]{1,2}"
INITIALS_AFTER = re.compile(
    r"\b(?:[Aa]ctions?|ACTIONS?|[Oo]wners?|OWNER|[Aa]ssigned to|[Aa]ssignee|[Ii]nitials|[Ss]igned(?: by)?|"
    rf"[Mm]inuted by|[Tt]yped by)\s?:\s{{0,2}}({_LETTERS}(?:\s?[/,&]\s?{_LETTERS}){{0,3}})(?![\w-])"
)
INITIALS = re.compile(_LETTERS)
NOBODY = frozenset("ALL TBC TBA TBD NA NIL YES NO".split())
# Letters that are somebody's only beside those of another: "RJ/PM".
NO_INITIALS = frozenset("ALL TBC TBA TBD NA NIL YES NO IT HR GP OT PT NHS ICU ED ER PM AM UK US USA EU CEO CFO".split())
# "since May", "last March": months that are also words and names.
UNSURE_MONTH = re.compile(
    r"\b(?:[Ss]ince|[Uu]ntil|[Tt]ill|[Ll]ast|[Nn]ext|[Ii]n|[Dd]uring|[Mm]id|[Ee]arly|[Ll]ate)[\s-](May|March)(?![\w-]|\s\d|\s[A-Z])"
)
# "the youngest Pargeter boy", "the Pargeter twins"
CHILD_OF = re.compile(
    r"\b[Tt]he\s(?:(?:youngest|eldest|oldest|elder|younger|middle|little|older)\s)?([A-Z][\w'’-]{2,30}+)\s"
    r"(?:boys?|girls?|twins?|lads?|kids?|brothers|sisters|sons?|daughters?|children|child)\b"
)
# Whose account it is: "/home/jdoe/", "C:\Users\jdoe\".
ACCOUNT_IN_PATH = re.compile(r"(?:/home/|/Users/|\\Users\\|\\Documents and Settings\\)([\w.-]{2,40}+)(?=[/\\\s]|$)")
NO_ACCOUNTS = frozenset("public shared default guest admin administrator root user users".split())
# A column or field that says what somebody does.
ROLE_FIELD = re.compile(
    r"(?i)\b(?:roles?|positions?|job(?: title)?|grade|occupation|profession|trade|staff|duty|rota)\s?[:|\t][^\n]{0,60}$"
)
CELL_ENDS = re.compile(r"\s{0,3}(?:[,.;:|\t\n)(-]|\d|$)")
# Who somebody is, after an article and in capitals: "the Bursar".
DETERMINED_TRADE = re.compile(r"\b(?:[Tt]he|[Aa]n?|THE|[Oo]ur|[Yy]our|[Tt]heir|[Hh]is|[Hh]er|[Mm]y)\s$")
TRADES = frozenset(
    "porter cook surgeon baker butler carter cooper fisher gardener hunter mason miller nurse page parker potter "
    "sawyer shepherd slater smith tailor taylor thatcher turner tyler walker weaver abbot bishop chancellor chaplain "
    "clerk constable deacon dean driver marshal priest sergeant steward warden butcher barber farmer forester fowler "
    "glover harper knight painter plumber roper saddler sexton skinner spicer tanner wainwright wright coroner matron "
    "bursar registrar proctor provost verger sheriff beadle".split()
)
# Codes of diseases (ICD-10): a letter, two digits, a point and what follows.
DISEASE_CODE = re.compile(r"\b[A-TV-Z]\d[\dAB]\.\d{1,4}[A-Z]?\b")
DISEASE_CODE_CUE = re.compile(r"(?i)\b(?:diagnos\w{1,5}|icd(?:-?1[01])?|dx)\b[^\n]{0,60}$")
# Between two names of one person: "Ann, who goes by Nan", "Ann (she prefers Nan)".
CALLED_BETWEEN = re.compile(
    r"[\s,;(–-]{1,3}(?:(?:or|also|who|she|he|they|is|was|and|usually|often|always|better|everybody|everyone|friends)\s){0,4}"
    r"(?:prefers?(?: to be called)?|(?:goes|went|go) by(?: the name(?: of)?)?|answers to|known(?: \w+)? as|"
    r"(?<=is )called|(?<=was )called|calls? (?:him|her|them)(?:self|selves)?|nicknamed|alias|aka|a\.k\.a\.|"
    r"(?:likes|wants) to be called)"
    r"[\s:,\"“'‘]{1,3}",
    re.IGNORECASE,
)
# After the other name: "Tom, as he likes to be called".
AS_CALLED = re.compile(
    r"[\"”’']?,?\s(?:as (?:he|she|they|everybody|everyone|friends) (?:(?:likes?|prefers?|wants?|is|was|are)\s)?"
    r"(?:to be\s)?(?:calls? (?:him|her|them)|called|known)|to (?:his|her|their) (?:friends|family)|for short)\b"
)
# "They call him Bunny, but his name is Barnaby Holt."
CALLED_BEFORE = re.compile(r"\b(?:calls?|called|know|knows|knew)\s(?:him|her|them|me)\s(?:as\s)?[\"“'‘]?$")
NAME_IS = re.compile(
    r"[\"”’']?[,;.]?\s(?:but\s|and\s|though\s)?(?:his|her|their|my)\s(?:(?:real|full|proper|given|legal)\s)?name\s(?:is|was)\s",
    re.IGNORECASE,
)
# Roles by which a text calls a person whom it has named.
_ROLES = (
    r"(applicant|claimant|plaintiff|defendant|respondent|appellant|complainant|petitioner|accused|suspect|victim|witness|"
    r"patient|client|tenant|landlord|deceased|employee|employer|insured|buyer|seller|borrower|lender|testator|author|"
    r"student|pupil|prisoner|detainee|debtor|creditor|informant|caller|customer)"
)
ROLE_BEFORE = re.compile(rf"(?i)\b(?:the|my|our|this)\s(?:first\s|second\s)?{_ROLES}[,:]?\s(?:is\s|was\s)?$")
ROLE_AFTER = re.compile(
    r"(?i)(?:,\s(?:born\s[^,()\n]{1,20},\s)?|\s\((?:here(?:in)?after(?:\sreferred to as|\scalled)?\s)?[\"“'‘]?|\sis\s)"
    rf"(?:the|my|our)\s{_ROLES}\b"
)
CLIENT_BEFORE = re.compile(
    r"(?i)\b(?:i|we)\s(?:act|acted|appear|write|wrote|speak|am acting|are acting|am instructed|are instructed|"
    r"am writing|are writing|represent)\s?(?:for|by|on behalf of)?\s$"
)
ROLE_SAID = re.compile(rf"(?i)\b(?:the|my|our|this)\s{_ROLES}(?![\w-])")
