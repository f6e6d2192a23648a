"""Singular and plural of nouns."""

from __future__ import annotations

_IRREGULAR = {
    "men": "man", "women": "woman", "children": "child", "feet": "foot", "teeth": "tooth", "geese": "goose",
    "mice": "mouse", "lice": "louse", "wives": "wife", "lives": "life", "knives": "knife", "leaves": "leaf",
    "wolves": "wolf", "selves": "self", "halves": "half", "loaves": "loaf", "thieves": "thief", "calves": "calf",
    "shelves": "shelf", "diagnoses": "diagnosis", "crises": "crisis", "theses": "thesis", "analyses": "analysis",
    "bases": "base", "metastases": "metastasis", "prognoses": "prognosis", "bacteria": "bacterium",
    "viruses": "virus", "criteria": "criterion", "phenomena": "phenomenon", "vertebrae": "vertebra",
    "offspring": "offspring", "sheep": "sheep", "deer": "deer", "aircraft": "aircraft",
    "people": "people", "news": "news", "series": "series", "species": "species", "diabetes": "diabetes",
    "aids": "aids", "rabies": "rabies", "herpes": "herpes", "measles": "measles", "mumps": "mumps",
    "buses": "bus", "gases": "gas", "movies": "movie", "cookies": "cookie", "calories": "calorie", "ties": "tie",
    "junkies": "junkie", "brownies": "brownie", "hippies": "hippie", "zombies": "zombie", "rookies": "rookie",
    "prairies": "prairie", "genies": "genie", "hoodies": "hoodie", "selfies": "selfie", "collies": "collie",
    "lies": "lie", "pies": "pie", "dies": "die", "shoes": "shoe", "toes": "toe", "houses": "house",
    "nurses": "nurse", "diseases": "disease", "cases": "case", "doses": "dose", "causes": "cause", "uses": "use",
    "courses": "course", "purposes": "purpose", "databases": "database", "releases": "release",
    "spouses": "spouse", "licenses": "license", "axes": "axis", "politics": "politics", "physics": "physics",
    "mathematics": "mathematics", "economics": "economics", "athletics": "athletics",
}  # fmt: skip
_KEEP_S = ("ss", "us", "is", "as", "os")


def singular(word: str) -> str:
    """Singular of a folded English word; a word that is no plural comes back as it is.

    >>> [singular(w) for w in ("cities", "boxes", "illnesses", "drugs", "virus", "children")]
    ['city', 'box', 'illness', 'drug', 'virus', 'child']
    """
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    if len(word) < 4 or word[-1] != "s" or word.endswith(_KEEP_S):
        return word
    if word.endswith("ies"):
        return word[:-3] + "y"
    if word.endswith(("sses", "shes", "ches", "xes", "zzes")):
        return word[:-2]
    return word[:-1]


_PLURAL_OF = {one: many for many, one in _IRREGULAR.items() if one != many}


def plural(word: str) -> str:
    """Plural of a singular English word, in lower case.

    >>> [plural(w) for w in ("city", "box", "drug", "child", "diagnosis")]
    ['cities', 'boxes', 'drugs', 'children', 'diagnoses']
    """
    if word in _PLURAL_OF:
        return _PLURAL_OF[word]
    if _IRREGULAR.get(word) == word:
        return word
    if word.endswith("y") and word[-2:-1] not in tuple("aeiou"):
        return word[:-1] + "ies"
    if word.endswith(("s", "x", "z", "ch", "sh")):
        return word + "es"
    return word + "s"


def in_plural(name: str) -> str:
    """Put a noun phrase into the plural.

    >>> in_plural("young person"), in_plural("city")
    ('young people', 'cities')
    """
    *rest, last = name.split()
    return " ".join([*rest, "people" if last == "person" else plural(last) if singular(last) == last else last])


_MIN_VERB = 4


def inflections(word: str) -> set[str]:
    """Written inflections of a folded word: singular, plural, regular -ed and -ing.

    >>> sorted(inflections("abuse"))
    ['abuse', 'abused', 'abuses', 'abusing']
    """
    one = singular(word)
    found = {word, one, plural(one)}
    if len(one) >= _MIN_VERB and one.isalpha():
        stem = one[:-1] if one.endswith("e") else one
        past = one[:-1] + "ied" if one.endswith("y") else stem + "ed"
        found |= {past, stem + "ing"}
    return found
