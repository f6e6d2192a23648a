# ruff: noqa: E501
"""Write synthetic documents from our own texts in `train/texts`, with typed spans, roles and hard negatives.

A text is plain, with slots in braces. A slot names a generator and, after a colon, the role of its text:
d direct identifier, q quasi-identifier, n no need to mask, ? unsure (perhaps nothing at all). `{a|b|c}` picks one of the words.
`<DEM:q senior accountant>` labels words as they stand; slots inside it are filled and take its label.
Texts of a file are divided by lines of `%%`; the file's name is the group its texts belong to.
Names come from word pools given by the caller and from syllables, so that names seen nowhere else appear too.
"""

from __future__ import annotations

import random
import re
import tomllib
import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

from train.example import Example

MONTHS = "January February March April May June July August September October November December".split()
ONSETS = "b br c ch d dr f fr g gl h j k kr l m n p pr qu r s sh st t tr v w y z sz sv".split()
VOWELS = "a a e e i i o o u ai ei ou ia ö é ø ü".split()
CODAS = ["", "", "n", "r", "l", "s", "k", "m", "t", "nd", "rt", "ck", "ng", "x", "ss"]
ENDS = [
    "son",
    "sen",
    "ska",
    "ski",
    "ić",
    "ez",
    "ov",
    "ova",
    "man",
    "berg",
    "ti",
    "ni",
    "oğlu",
    "wala",
    "ley",
    "ton",
    "",
]
PLACE_ENDS = ["ville", "ton", "burg", "ham", "stad", "ford", " Falls", "grad", "by", "mouth", "field", " Creek", ""]
DRUGS = """metformin lisinopril atorvastatin warfarin levothyroxine amoxicillin sertraline albuterol prednisone heparin
insulin gabapentin clopidogrel apixaban methotrexate rituximab vancomycin furosemide omeprazole lamotrigine Humira Lantus
Eliquis Xarelto Lipitor Zoloft Prozac Keppra Coumadin Tylenol Advil Ozempic""".split()
EPONYMS = """Parkinson's disease|Alzheimer's disease|Crohn's disease|Hodgkin lymphoma|Graves' disease|Hashimoto's
thyroiditis|Cushing syndrome|Addison's disease|Marfan syndrome|Down syndrome|Turner syndrome|Raynaud's phenomenon|Bell's
palsy|Huntington's disease|Tourette syndrome|Kawasaki disease|Guillain-Barré syndrome|Sjögren's syndrome|Wilson's
disease|Paget's disease|Barrett's esophagus|Wegener's granulomatosis|Lou Gehrig's disease|Lyme disease|Babinski
sign|Murphy's sign|Chvostek sign|Romberg test|Glasgow Coma Scale|Apgar score|Foley catheter|Whipple procedure|Epstein-Barr
virus|West Nile virus|Kaposi sarcoma|Wolff-Parkinson-White|Child-Pugh class B|Wells score|CHA2DS2-VASc|Framingham risk
score|Mayo score|Gleason 7|Ranson criteria|Beck Depression Inventory|Dix-Hallpike maneuver|Virchow's node|Osler's nodes""".replace(
    "\n", " "
).split("|")
ILLNESS = """hypertension|type 2 diabetes|asthma|COPD|atrial fibrillation|CHF|stage 3 CKD|migraine|rheumatoid arthritis|lupus|
depression|bipolar disorder|pneumonia|cellulitis|DVT|a recent MI|iron deficiency anemia|gout|psoriasis|GERD|HIV|hepatitis C|
breast cancer|prostate cancer|epilepsy|multiple sclerosis|hypothyroidism|preeclampsia|sickle cell disease|osteoporosis""".replace(
    "\n", ""
).split("|")
JOBS = """teacher|nurse|lawyer|engineer|journalist|politician|farmer|police officer|carpenter|software developer|footballer|novelist|
painter|composer|physician|bus driver|economist|priest|photographer|chemist|retired miner|electrician|accountant|poet|singer|
film director|historian|diplomat|businessman|athlete|professor of physics|shop assistant|dentist""".replace(
    "\n", ""
).split("|")
NATIONS = """American British French German Italian Polish Turkish Russian Indian Chinese Japanese Nigerian Mexican Brazilian Irish
Norwegian Swedish Greek Ukrainian Bulgarian Romanian Hungarian Canadian Australian Egyptian Iranian Korean Slovak Dutch
Spanish Austrian Finnish Portuguese Kenyan Cuban""".split()
ETHNIC = "Hispanic|African American|Caucasian|Asian|South Asian|White|Black|Native American|Latina".split("|")
COURTS = "Regional Court|District Court|Court of Appeal|Supreme Court|Prison|Remand Centre|Prosecutor's Office|Police Department|City Council|Military Court".split(
    "|"
)
HOSPITAL = "General Hospital|Medical Center|Clinic|Community Hospital|Children's Hospital|Memorial Hospital|Health Center|VA".split(
    "|"
)
COMPANY = (
    "Ltd|Inc.|GmbH|Corporation|Holdings|Group|Pictures|Records|Bank|Industries|Press|& Sons|Airlines|Foundation".split(
        "|"
    )
)
AWARDS = "Academy Award|Golden Globe Award|Pulitzer Prize|Nobel Prize|Grammy Award|BAFTA Award|Tony Award|Order of Merit|Emmy Award".split(
    "|"
)
NOUNS = "Night River Stone Garden Shadow Winter Empire Daughter Road Silence Glass Moon House Letter Fire Crown Ocean Mirror Storm".split()
STREETS = "Street|St|Avenue|Ave.|Road|Rd|Lane|Drive|Blvd|Court|Way|Terrace|Square".split("|")
TYPES = {
    "person": "PERSON", "doctor": "PERSON", "surname": "PERSON", "first": "PERSON", "fullname": "PERSON", "initials": "PERSON",
    "place": "LOC", "country": "LOC", "address": "LOC", "zip": "LOC", "state": "LOC",
    "court": "ORG", "hospital": "ORG", "company": "ORG", "school": "ORG", "team": "ORG",
    "date": "DATETIME", "year": "DATETIME", "duration": "DATETIME", "time": "DATETIME", "vague": "DATETIME", "years": "DATETIME",
    "mrn": "CODE", "ssn": "CODE", "phone": "CODE", "email": "CODE", "appno": "CODE", "url": "CODE", "account": "CODE",
    "age": "DEM", "job": "DEM", "nation": "DEM", "ethnic": "DEM", "relation": "DEM",
    "money": "QUANTITY", "count": "QUANTITY", "measure": "QUANTITY", "percent": "QUANTITY",
    "film": "MISC", "award": "MISC",
    "drug": "", "eponym": "", "illness": "", "lab": "",
}  # fmt: skip
SLOTS = tomllib.loads((Path(__file__).parent / "slots.toml").read_text(encoding="utf-8"))
TYPES |= {name: SLOTS[slot.get("same", name)]["type"] for name, slot in SLOTS.items()}
TYPES |= {"inits": "PERSON", "username": "PERSON", "userdir": "CODE"}
NOT_INITIALS = set("AM PM OK NO ID IT HR GP PC TV US UK EU IV PO BD PT OT ED NI CV RN MP DOB".split())
SLOT = re.compile(r"\{([^{}]+)\}|<([A-Z]+):([dqn?]) ([^<>]+)>")
TEXTS = Path(__file__).parent / "texts"
ROLES = {"d": "direct", "q": "quasi", "n": "none", "?": "?"}


class Writer:
    """Fills templates; the same seed and pools give the same documents."""

    def __init__(self, rng: random.Random, pools: dict[str, list[str]]) -> None:
        self.rng, self.pools = rng, pools
        self.memory: dict[str, str] = {}

    def syllables(self, ends: list[str]) -> str:
        """Make up a name."""
        rng = self.rng
        word = "".join(
            rng.choice(ONSETS) + rng.choice(VOWELS) + rng.choice(CODAS) for _ in range(rng.choice([1, 2, 2, 3]))
        )
        return (word + rng.choice(ends)).capitalize() if " " not in word else word

    def pick(self, pool: str, ends: list[str]) -> str:
        """Take a name from a pool, or make one up."""
        if self.rng.random() < 0.3 or not self.pools.get(pool):
            name = self.syllables(ends)
            return name[:1].upper() + name[1:]
        return self.rng.choice(self.pools[pool])

    def first(self) -> str:
        """A given name."""
        return self.pick("first", ["", "a", "o", "ie", "us"])

    def surname(self) -> str:
        """A family name, at times double."""
        name = self.pick("last", ENDS)
        return f"{name}-{self.pick('last', ENDS)}" if self.rng.random() < 0.04 else name

    def fullname(self) -> str:
        """A full name in one of the usual forms, without title."""
        rng, a, b = self.rng, self.first(), self.surname()
        middle = f"{chr(rng.randrange(65, 91))}. " if rng.random() < 0.2 else ""
        form = rng.random()
        if form < 0.7:
            return f"{a} {middle}{b}"
        if form < 0.8:
            return f"{a[0]}. {b}"
        if form < 0.86:
            return f"{b}, {a}"
        return f"{a} {b[0]}." if form < 0.94 else f"{a} {self.first()} {b}"

    def person(self) -> str:
        """A name, at times with a title."""
        if self.rng.random() < 0.35:
            return (
                self.rng.choice(["Mr", "Mrs", "Ms", "Mr.", "Mrs.", "Miss", "Sir", "Lady"])
                + " "
                + (self.surname() if self.rng.random() < 0.5 else self.fullname())
            )
        return self.fullname()

    def doctor(self) -> str:
        """A physician's name."""
        return self.rng.choice(["Dr. ", "Dr ", "Dr. ", "Prof. ", "dr. "]) + (
            self.surname() if self.rng.random() < 0.6 else self.fullname()
        )

    def place(self) -> str:
        """A town."""
        return self.pick("place", PLACE_ENDS)

    def day(self) -> str:
        """A date in one of the common forms."""
        rng = self.rng
        y, m, d = rng.randrange(1900, 2027), rng.randrange(1, 13), rng.randrange(1, 29)
        month = MONTHS[m - 1]
        suffix = {1: "st", 2: "nd", 3: "rd", 21: "st", 22: "nd", 23: "rd"}.get(d, "th")
        forms = [
            f"{d} {month} {y}", f"{month} {d}, {y}", f"{m}/{d}/{y}", f"{m:02}/{d:02}/{y % 100:02}", f"{y}-{m:02}-{d:02}",
            f"{month[:3]} {d}, {y}", f"{d}.{m}.{y}", f"{d} {month}", f"{month} {d}", f"{month} {y}", f"{m}/{d}",
            f"{month} {d}{suffix}, {y}", f"{d}-{month[:3]}-{y}", f"the {d}{suffix} of {month}", f"{month} {d}{suffix}",
        ]  # fmt: skip
        return rng.choice(forms)

    def digits(self, pattern: str) -> str:
        """Fill # with digits and @ with capitals."""
        return "".join(
            str(self.rng.randrange(10)) if c == "#" else chr(self.rng.randrange(65, 91)) if c == "@" else c
            for c in pattern
        )

    def title(self) -> str:
        """The name of a film or book."""
        rng = self.rng
        a, b = rng.choice(NOUNS), rng.choice(NOUNS)
        return rng.choice(
            [
                f"The {a} of {b}",
                f"{a} and {b}",
                f"The Last {a}",
                f"{a} of the {b}",
                f"Beyond the {a}",
                f"{a}s",
                f"A {a} for {self.first()}",
            ]
        )

    def listed(self, name: str) -> str:
        """A value of `slots.toml`, with what is open in it filled."""
        slot = SLOTS[SLOTS[name].get("same", name)]
        value = SLOT.sub(lambda inner: self.make(inner[1]), self.rng.choice(slot["values"]))
        return self.digits(value) if slot.get("fill") else value

    def letters(self, first: str, last: str) -> str:
        """Initials without dots, as in minutes."""
        draw = self.rng.random()
        middle = chr(self.rng.randrange(65, 91)) if draw < 0.2 else ""
        made = first[:1].upper() + middle + last[:1].upper()
        if made in NOT_INITIALS:
            return self.letters(self.first(), self.surname())
        return made.lower() if draw > 0.95 else "/".join(made) if draw > 0.92 else made

    def account(self, first: str, last: str) -> str:
        """The name of a user, made from a person's."""
        a, b = (re.sub(r"[^a-z]", "", _ascii(part)) or "x" for part in (first, last))
        forms = [
            a[0] + b,
            f"{a}.{b}",
            a,
            b + a[0],
            f"{a}_{b[0]}",
            a + self.digits("##"),
            f"{b}{a[0]}#".replace("#", self.digits("#")),
        ]
        return self.rng.choice(forms)

    def make(self, slot: str) -> str:
        """Produce the text of one slot."""
        rng = self.rng
        if slot in SLOTS:
            return self.listed(slot)
        if slot in ("inits", "username", "userdir"):
            made = self.letters if slot == "inits" else self.account
            return made(self.first(), self.surname())
        makers: dict[str, Callable[[], str]] = {
            "person": self.person, "doctor": self.doctor, "surname": self.surname, "first": self.first,
            "fullname": self.fullname, "initials": lambda: f"{chr(rng.randrange(65, 91))}.{chr(rng.randrange(65, 91))}.",
            "place": self.place, "country": lambda: rng.choice(self.pools["country"]),
            "state": lambda: rng.choice("TX CA NY Ohio Texas Florida Bavaria Ontario Kent Queensland MA".split()),
            "address": lambda: f"{rng.randrange(1, 9999)} {self.surname()} {rng.choice(STREETS)}"
            + (f", {self.place()}" if rng.random() < 0.4 else "") + (self.digits(", @@ #####") if rng.random() < 0.2 else ""),
            "zip": lambda: self.digits(rng.choice(["#####", "#####-####", "@@# #@@"])),
            "court": lambda: f"{self.place()} {rng.choice(COURTS)}",
            "hospital": lambda: f"{rng.choice([self.place, self.place, lambda: 'St. ' + self.first() + chr(39) + 's'])()} {rng.choice(HOSPITAL)}",
            "company": lambda: f"{self.surname()} {rng.choice(COMPANY)}",
            "school": lambda: rng.choice([f"University of {self.place()}", f"{self.place()} High School", f"{self.surname()} College"]),
            "team": lambda: f"{self.place()} {rng.choice('United City Rovers Eagles Tigers FC Athletic'.split())}",
            "date": self.day, "year": lambda: str(rng.randrange(1900, 2027)),
            "years": lambda: f"{rng.randrange(1900, 1990)} to {rng.randrange(1990, 2027)}",
            "duration": lambda: rng.choice(["two years", "three months", "ten days", "18 months", "six years", "a year and a half"]),
            "time": lambda: self.digits(rng.choice(["1#:3#", "#.15 p.m.", "9:## am"])),
            "vague": lambda: rng.choice(["last summer", "last year", "two weeks ago", "last month", "recently", "in the past year", "yesterday"]),
            "mrn": lambda: self.digits(rng.choice(["#######", "MRN######", "####-###", "@##-####", "######", "A########"])),
            "ssn": lambda: self.digits("###-##-####"),
            "phone": lambda: self.digits(rng.choice(["(###) ###-####", "###-###-####", "+44 20 #### ####", "555-####", "+1 ### ### ####"])),
            "email": lambda: f"{self.first()}.{self.surname()}@{self.surname()}.{rng.choice(['com', 'org', 'net', 'co.uk'])}".lower().replace(" ", ""),
            "url": lambda: f"www.{self.surname()}.{rng.choice(['com', 'org', 'net'])}".lower().replace(" ", ""),
            "appno": lambda: self.digits("#####/##"), "account": lambda: self.digits(rng.choice(["########", "#### #### #### ####", "@@## #### #### ####"])),
            "age": lambda: rng.choice(["{}-year-old", "{} years old", "{}yo", "{} y/o", "{} year old"]).format(rng.randrange(1, 89)),
            "job": lambda: rng.choice(JOBS), "nation": lambda: rng.choice(NATIONS), "ethnic": lambda: rng.choice(ETHNIC),
            "relation": lambda: rng.choice(["mother", "father", "wife", "husband", "daughter", "son", "sister", "brother"]),
            "money": lambda: rng.choice(["EUR {},000", "{},000 euros (EUR)", "${} million", "{} pounds sterling"]).format(rng.randrange(1, 900)),
            "count": lambda: rng.choice(["two", "three", "four", "seven", "12", "40", "1,200"]),
            "measure": lambda: rng.choice(["{} kg", "{} km", "{} grams", "{} cm", "{} square metres"]).format(rng.randrange(2, 300)),
            "percent": lambda: f"{rng.randrange(1, 99)}%",
            "film": self.title, "award": lambda: rng.choice(AWARDS),
            "drug": lambda: rng.choice(DRUGS), "eponym": lambda: rng.choice(EPONYMS), "illness": lambda: rng.choice(ILLNESS),
            "lab": lambda: rng.choice(["HbA1c of 9.2", "BP 150/90", "BMI of 35", "eGFR of 42", "INR 2.5", "CD4 count of 180", "EF 35%", "20 mg/day", "500 mg BID", "O2 sat 92%"]),
        }  # fmt: skip
        return makers[slot]()

    def fill(self, slot: str) -> str:
        """Text of one slot; with a number it repeats within the document ("fullname1" is "first1" and "surname1")."""
        name = slot.partition(":")[0]
        kind = name.rstrip("0123456789")
        if kind not in TYPES:
            return self.rng.choice(slot.split("|"))
        if name == kind:
            return self.make(kind)
        if name not in self.memory:
            number = name.removeprefix(kind)
            if kind in ("inits", "username", "userdir"):
                made = self.letters if kind == "inits" else self.account
                self.memory[name] = made(self.fill(f"first{number}"), self.fill(f"surname{number}"))
                return self.memory[name]
            parts = {"fullname": ("first", "surname"), "doctor": ("surname",)}.get(kind, ())
            made = " ".join(self.fill(part + number) for part in parts) or self.make(kind)
            self.memory[name] = f"Dr {made}" if kind == "doctor" else made
        return self.memory[name]

    def write(self, template: str, source: str) -> Example:
        """Fill one template."""
        self.memory = {}
        parts: list[str] = []
        entities, masks, at, length = [], [], 0, 0
        for match in SLOT.finditer(template):
            parts.append(template[at : match.start()])
            length += match.start() - at
            at = match.end()
            if match[1]:
                name, _, role = match[1].partition(":")
                kind, text = TYPES.get(name.rstrip("0123456789"), ""), self.fill(match[1])
            else:
                kind, role = match[2], match[3]
                text = SLOT.sub(lambda inner: self.fill(inner[1]), match[4])
            if kind:
                entities.append((length, length + len(text), (kind, "O") if role == "?" else (kind,)))
                masks.append((length, length + len(text), ROLES[role or "q"]))
            parts.append(text)
            length += len(text)
        text = "".join([*parts, template[at:]])
        return Example(text=text, source=source, doc="", entities=entities, masks=[m for m in masks if m[2] != "none"])


def _ascii(text: str) -> str:
    return unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()


def templates() -> Iterator[tuple[str, str]]:
    """Every text with its group."""
    for path in sorted(TEXTS.glob("*.txt")):
        for text in path.read_text(encoding="utf-8").split("\n%%\n"):
            if text.strip():
                yield path.stem, text.strip("\n")


def documents(seed: int, pools: dict[str, list[str]], words: int, *, least: int = 15) -> list[Example]:
    """Fill every text until it has given about so many words (`least` to 70 times)."""
    writer = Writer(random.Random(seed), pools)
    result = []
    for n, (group, text) in enumerate(templates()):
        times = min(max(words // len(text.split()), least), 70)
        result += [replace(writer.write(text, f"syn_{group}"), doc=f"{group}{n}") for _ in range(times)]
    return result
