"""Words that say what the number, code or line beside them is.

Every expression repeats possessively or up to a small limit, so that searching a short stretch is quick.
"""

from __future__ import annotations

import re

# Telephone numbers.
PHONE_CUE = re.compile(
    r"(?i)\b(?:tele?phones?|phones?|tel|mobile|cell(?:ular|phone)?|contact|whatsapp|sms|hotline|helpline|landline|pager|"
    r"handset|voicemail|fax|toll-free)\b"
)
# Everyday words count only right before the number.
WEAK_PHONE_CUE = re.compile(
    r"(?i)\b(?:call(?:ed|ing|s)?|text(?:ed|ing)?|dial(?:ed)?|reach(?:ed)?|ring|rang|message|number is|registered|"
    r"home|work|office)\b"
)
FAX_CUE = re.compile(r"(?i)\b(?:fax|facsimile)\b[^\n]{0,16}$")
OTHER_NUMBER_CUE = re.compile(
    r"(?i)\b(?:nos?|mrn|ssn|card|account|acct|id|iban|nhs|isbn|issn|article|section|policy|insurance|case|docket|"
    r"application|order|invoice|ref|reference|record|passport|licen[cs]e|serial|zip|postcode|postal code)\b[^\n]{0,12}$"
)

# Cards and vehicles.
CARD_CUE = re.compile(
    r"(?i)\b(?:cards?|credit|debit|visa|mastercard|amex|american express|discover|diners|jcb|maestro|cc|pan|cvv)\b"
)
VEHICLE_CUE = re.compile(r"(?i)\b(?:vin|vehicle|chassis|car|truck|motor)\b")

# Network addresses.
NETWORK_CUE = re.compile(
    r"(?i)\b(?:ip(?:v[46])?|addresse?s?|host|server|login|logged|subnet|gateway|dns|ping|router)\b"
)

# Streets, post boxes and postal codes.
STREET_TYPES = (
    r"(?:Street|St|Avenue|Ave|Av|Road|Rd|Boulevard|Blvd|Lane|Ln|Drive|Dr|Court|Ct|Place|Pl|Square|Sq|Terrace|Ter|Way|"
    r"Parkway|Pkwy|Highway|Hwy|Circle|Cir|Close|Crescent|Cres|Gardens|Gdns|Grove|Mews|Row|Walk|Hill|Park|Alley|Trail|"
    r"Trl|Loop|Plaza|Turnpike|Pike|Quay|Wharf|Parade|Rise|Vale|View|Green|Expressway|Freeway)"
)
# What two streets make: "the corner of Elm and Third".
CROSSING = r"(?:[Cc]orner|[Jj]unction|[Ii]ntersection|[Cc]rossroads) of\s{1,2}(?:the\s)?"
AND = r"\s{1,2}(?:and|&|with)\s{1,2}(?:the\s)?"
DWELLING = r"(?:,?\s{1,2}(?:Apt|Apartment|Suite|Ste|Unit|Flat|Floor|Fl|Room|Rm|#)\.?\s?[\w-]{1,6}+)?"
# What stands before the number of a house: "Flat 3, 118 Marlborough Rd".
DWELLING_BEFORE = re.compile(
    r"(?<!\w)(?:Flat|Apt|Apartment|Unit|Suite|Ste|Room|Rm|Studio|House|Block)\.?\s#?[\w-]{1,6}+,?\s{1,2}$"
)
# After it a word that may name a place names a language: "fluent in Yoruba", "interpreter (Tigrinya)".
LANGUAGE_CUE = re.compile(
    r"(?i)\b(?:fluent in|speaks?|spoke|speaking|spoken|native|bilingual in|translated (?:from|into)|"
    r"interpreter (?:for |\()|languages?:)\s{0,2}(?:some |only |little )?$"
)
POST_BOX = re.compile(
    r"[PU](?<!\w.)(?:\.\s?O\.?|O|ost(?:al)? [Oo]ffice|SC|nit(?=\s\d{1,5}\s[Bb]ox))\s?"
    r"(?:[Bb](?:ox|OX)\s?#?\d{1,6}+|\d{1,5}+,?\s[Bb]ox\s\d{1,6}+)"
    r"(?:\s{1,2}[AFD]PO,?\s[A-Z]{2}\s\d{5}(?:-\d{4})?)?"
)
# "Apt. 608", "Suite 12": before it a number and a name, after it town, region, country and code on a few short lines.
DWELLING_WORD = re.compile(r"[ASUFasuf](?<!\w.)(?:pt|partment|uite|te|nit|lat)\.?\s#?\d{1,5}+[A-Za-z]?(?!\w)")
ADDRESS_CUE = re.compile(
    r"(?i)\b(?:address(?:\sis)?:?|(?:located|lives?|lived|living|resid\w{1,5}|stay\w{0,3}|offices? (?:is|are)|"
    r"restaurant is|store is|drops you off)\s(?:at|on|in)|taxi to)\s{1,2}$"
)
ADDRESS_CUE_ENDS = frozenset(("t ", "n ", ": ", "o ", "s "))  # the cue's last letters, to look at first
POSTAL_CUE = re.compile(
    r"(?i)(?<![a-z])(?:zip|zip[ -]?codes?|post[ -]?codes?|postal[ -]?codes?|plz)(?:\s(?:is|was|of)|\s?[:=#])?\s{0,2}$"
)
PLACE_BEFORE = re.compile(r"\b(?:in|from|to|near|at)\s(?:[^\W\d_a-z][\w'.-]{1,20}\s)(?:[\w'.-]{1,20}\s){0,3}$")
DWELLING_CUE = re.compile(
    r"(?i)\b(?:address\w*|liv(?:es?|ed|ing)|resid\w+|located|home|house|mov(?:ed|ing)|at|deliver\w*|ship\w*|mail\w*|"
    r"visit\w*|office\w*|taxi|domicil\w+|born|store|shop|restaurant)\b[^\n]{0,24}$"
)

# What the name of a field says its value is.
FIELD_LABELS = (
    ("DATETIME", r"birth|dob|date|born|death|admission|discharge"),
    ("RECORD", r"mrn|record|patient|hospital|chart"),
    ("PHONE", r"phone|tel|mobile|cell|fax"),
    ("EMAIL", r"e-?mail"),
    ("SSN", r"ssn|social"),
    ("ADDRESS", r"address|street|city|town|zip|postcode|home|residence"),
    ("ACCOUNT", r"account|policy|insurance|iban|card"),
    ("PERSON", r"name|subject|person|alias|nickname|spouse|mother|father|surname|first|last|maiden|given|family"),
    ("OTHER_ID", r"id|number|no|code|passport|licen[cs]e|plate"),
)  # fmt: skip

# Numbers named by the word before them.
# What may stand between the word and the number; the first say outright that a number follows.
NUMBER_SAYS = frozenset(
    "number numbers num no nos nr id ids identifier identifiers identification code ref reference # : =".split()
)
NUMBER_FILLER = NUMBER_SAYS | frozenset("is was are of to under as ending the its card ( [ ' \" . - & s".split())
# Word -> label; a star: only where "number", "no.", "id", ":" or the like follows.
_NAMED_NUMBERS = {
    "RECORD": "mrn emr ehr hrn chart* record* rec* patient* pt* hospital* clinic* encounter* accession* specimen* "
              "admission* unit*",
    "ACCOUNT": "account acct a/c routing insurance ins policy plan* beneficiary subscriber member* membership* group* "
               "medicaid medicare hicn mbi payer* swift bic claim* customer* iban bank* sort*",
    "CASE": "case docket application petition* file* complaint* indictment cause* appeal* matter* proceedings* "
            "court* crime* incident* report* warrant* request*",
    "PASSPORT": "passport travel*",
    "LICENSE": "license licence driver drivers driving dl dea npi permit* certificate* certification*",
    "PLATE": "plate registration* reg* vehicle* tag*",
    "DEVICE": "serial s/n imei meid udi imsi iccid device* pacemaker* implant* asset* lot*",
    "OTHER_ID": "employee* student* user* staff* badge* voter* tax* order* invoice* ticket* transaction* booking* "
                "tracking* confirmation* reservation* library* access* identity* study* trial* uuid guid national* "
                "fingerprint* retina* voiceprint* photo* image* biometric*",
}  # fmt: skip
NUMBER_NAMES = {word: label for label, words in _NAMED_NUMBERS.items() for word in words.split()}
LISTED_NUMBER = re.compile(r"\d{1,6}/\d\d(?:\d\d)?,?(?:\s(?:and|&|to|or))?\s$")

BIRTH_CUE = re.compile(r"(?i)\b(?:born|birth|dob|b\.)[^\n]{0,16}$")
