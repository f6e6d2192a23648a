"""Nouns that tell what bears them, words that tell what kind of work a title is, and what labels are called."""

from __future__ import annotations

# Head nouns that are true of what bears them, and what each is in one word more general.
_HEADS = {
    "organization": "university college school academy institute institution hospital clinic bank company corporation "
    "firm party army navy regiment brigade battalion club team league association society federation union church "
    "parliament assembly senate council committee commission agency ministry department bureau court tribunal "
    "police orchestra choir band theatre theater museum library foundation trust charity network studio airline "
    "newspaper magazine prison group organization organisation board office service embassy chamber cabinet",
    "award": "award prize medal trophy nomination scholarship fellowship order honor honour",
    "event": "festival championship tournament cup olympics games conference war battle revolution election race "
    "marathon season match congress ceremony exhibition fair contest competition trial uprising",
    "place": "street road avenue lane square park river lake mountain island county province state district region "
    "airport station bridge castle palace tower hotel stadium arena cemetery village town city valley bay sea "
    "ocean desert forest beach harbour harbor peninsula republic kingdom constituency cathedral abbey",
    "document": "act law code treaty convention constitution regulation directive agreement declaration bill charter",
    "position": "minister president chairman chairperson director secretary governor mayor ambassador judge senator "
    "speaker professor commissioner chancellor captain coach manager",
    "creative work": "symphony concerto sonata opera anthology trilogy encyclopedia",
    "illness": "disease syndrome disorder",
}  # fmt: skip
HEAD_NOUNS = {noun: kind for kind, nouns in _HEADS.items() for noun in nouns.split()}
# Two words that together are one kind.
PAIRED_HEADS = frozenset(
    "film festival/high school/grammar school/primary school/secondary school/law school/medical school/art school/"
    "football club/football team/football league/baseball team/basketball team/hockey team/television network/"
    "film studio/record company/insurance company/political party/labour party/trade union/supreme court/"
    "high court/district court/regional court/court of appeal/research institute/medical center/medical centre/"
    "civil war/world war/police station/railway station/military academy/music award/film award/television award/"
    "criminal code/civil code/penal code/general hospital/university hospital/film school/business school/"
    "drama school/symphony orchestra/air force/national park/film series/television series".split("/")
)
# Words beside a title that tell what kind of work it is.
_CUES = {
    "film": "film films movie movies cinema thriller thrillers comedy comedies biopic sequel sequels blockbuster",
    "television series": "series sitcom miniseries television tv episode episodes show",
    "play": "play plays broadway theatre theater stage playwright",
    "book": "novel novels book books memoir autobiography trilogy",
    "album": "album albums",
    "song": "song songs",
    "painting": "painting paintings",
    "magazine": "magazine newspaper",
    "production": "starring starred role roles cast appeared portrayed played drama dramas directed director",
}  # fmt: skip
WORK_CUES = {word: kind for kind, cues in _CUES.items() for word in cues.split()}
# What stands in brackets for a label.
LABEL_WORDS = {
    "PERSON": "person", "LOC": "place", "ORG": "organisation", "DATETIME": "date", "CODE": "number",
    "DEM": "description", "QUANTITY": "quantity", "MISC": "name", "TERM": "term", "WORD": "term", "AGE": "age",
    "EMAIL": "e-mail address", "URL": "web address", "PHONE": "phone number", "FAX": "fax number",
    "SSN": "social security number", "NHS": "health number", "HEALTH": "health number",
    "NATIONAL_ID": "national number", "CARD": "card number", "IBAN": "account number", "ACCOUNT": "account number",
    "RECORD": "record number", "CASE": "case number", "LICENSE": "licence number", "PASSPORT": "passport number",
    "PLATE": "number plate", "VIN": "vehicle number", "DEVICE": "device number", "MAC": "network address",
    "IP": "network address", "ZIP": "postal code", "ADDRESS": "address", "OTHER_ID": "number", "PROTECTED": "topic",
    "CUSTOM": "name",
}  # fmt: skip
