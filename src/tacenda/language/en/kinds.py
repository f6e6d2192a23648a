"""Nouns that tell what bears them, words that tell what kind of work a title is, and what labels are called."""

from __future__ import annotations

# Head nouns that are true of what bears them, and what each is in one word more general.
_HEADS = {
    "organization": "university college school academy institute institution hospital hospice clinic parish bank "
    "company corporation firm party army navy regiment brigade battalion club team league association society "
    "federation union church parliament assembly senate council committee commission agency ministry department "
    "bureau court tribunal police orchestra choir band theatre theater museum library foundation trust charity "
    "network studio airline newspaper magazine prison group organization organisation board office embassy "
    "chamber cabinet government municipality authority fund society project program",
    "award": "award prize medal trophy nomination scholarship fellowship order honor honour",
    "event": "festival championship tournament cup olympics games conference war battle revolution election race "
    "marathon season match ceremony exhibition fair contest competition trial uprising",
    "place": "street road avenue lane square park river lake mountain island county province state district region "
    "airport station bridge castle palace tower hotel stadium arena cemetery village town city valley bay sea "
    "ocean desert forest beach harbour harbor peninsula reservation republic kingdom constituency cathedral abbey",
    "document": "act law code treaty convention constitution regulation directive agreement declaration bill charter",
    "position": "minister president chairman chairperson director secretary governor mayor ambassador judge senator "
    "speaker professor commissioner chancellor captain coach manager",
    "creative work": "symphony concerto sonata opera anthology trilogy encyclopedia",
    "illness": "disease syndrome disorder",
}  # fmt: skip
HEAD_NOUNS = {noun: kind for kind, nouns in _HEADS.items() for noun in nouns.split()}
# What an examination, a treatment or a proceeding is made of: everybody who is examined or heard has these, so however
# rare the word, it does not tell who somebody is. Diseases are not among them: a rare one does.
COMMON_KINDS = frozenset(
    "symptom/medicine/body part/medical procedure/diagnostic procedure/examination/test/bodily process/organic process/"
    "sound/swelling/body substance/bodily property/definite quantity/unit of measurement/time period/speech act/"
    "statement/document/signal/change of state/legal proceeding/proceeding/basic cognitive process".split("/")
)
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
# Of these the nouns that tell what a title right behind them is, whatever else the sentence says.
GENRES = frozenset(
    "film films movie movies thriller thrillers comedy comedies biopic sequel sequels blockbuster sitcom miniseries "
    "drama dramas novel novels memoir autobiography trilogy album albums song songs musical epic "
    "documentary".split()
)
# What stands in brackets for a label.
LABEL_WORDS = {
    "PERSON": "person", "LOC": "place", "ORG": "organization", "DATETIME": "date", "CODE": "number", "AGE": "age",
    "QUANTITY": "number", "EMAIL": "e-mail address", "URL": "web address", "PHONE": "phone number",
    "FAX": "fax number", "SSN": "social security number", "NHS": "health number", "HEALTH": "health number",
    "HEALTH_PLAN": "health plan number", "NATIONAL_ID": "national number", "CARD": "card number",
    "IBAN": "account number", "ACCOUNT": "account number", "RECORD": "record number", "CASE": "case number",
    "LICENSE": "license number", "PASSPORT": "passport number", "PLATE": "license plate", "VIN": "vehicle number",
    "DEVICE": "device number", "MAC": "network address", "IP": "network address", "ZIP": "postal code",
    "ADDRESS": "address", "OTHER_ID": "number", "CUSTOM": "listed word",
}  # fmt: skip
# What a label calls the things below a rung of a taxonomy: the nearest rung that stands here decides.
_RUNG_LABELS = {
    "medicine": "medicine/drug/medication/vaccine/vitamin/pharmaceutical/hormone/antibiotic/contraceptive",
    "substance": "narcotic/controlled substance/drug of abuse/hard drug/soft drug/hallucinogen/cannabis/stimulant/"
    "tobacco/"
    "substance/chemical/compound/chemical compound/material/fluid/metallic element/chemical element",
    "drink": "alcohol/alcoholic drink/beverage/drink/liquor/wine/beer",
    "condition": "disease/illness/disorder/ill health/infection/syndrome/mental disorder/pathological state/"
    "abnormality/"
    "mental illness/psychological disorder/pregnancy/disability/physiological state/addiction/dependence/allergy/"
    "growth/reflux/hypertension/high cholesterol/sleep apnea/stroke/heart attack/"
    "tumor/inflammation/defect/physical condition",
    "injury": "injury/trauma/wound/accident",
    "symptom": "symptom/pain/sign/discomfort/evidence of disease",
    "procedure": "medical procedure/surgery/surgical procedure/operation",
    "treatment": "medical care/therapy/treatment/medical aid/rehabilitation",
    "test": "diagnostic procedure/diagnostic test/scan/blood test/imaging/medical examination/screening/test/x-ray/"
    "electrocardiogram",
    "body part": "body part/organ/tissue/body covering/bodily structure/bone/muscle/limb/external body part",
    "family member": "relative/relation/kinsman/parent/offspring/sibling/spouse/family member/ancestor/descendant/kin",
    "occupation": "worker/professional/employee/skilled worker/health professional/medical practitioner/performer/"
    "artist/"
    "creator/entertainer/official/leader/administrator/scientist/educator/teacher/lawyer/serviceman/writer/"
    "businessperson/"
    "communicator/adviser/executive/craftsman/technician/athlete/player/contestant/expert/specialist/intellectual",
    "religion": "religion/religious belief/faith/religious person/believer/clergyman/denomination",
    "nationality": "nationality/inhabitant/native/ethnic group/people/national",
    "political view": "political orientation/ideology/political party/political movement/doctrine",
    "language": "language/natural language",
    "person": "person/adult/child/young person/man/woman/friend/acquaintance",
    "country": "country", "city": "city/state capital/national capital/capital/municipality", "town": "town/village",
    "state": "province/american state/county",
    "building": "building/house/dwelling/housing/institution building",
    "room": "room", "road": "road/street/way/thoroughfare",
    "place": "location/region/area/place/geographical area/land",
    "body of water": "body of water/river/lake", "mountain": "mountain/elevation",
    "school": "school/university/college/educational institution", "hospital": "hospital/clinic/medical institution",
    "company": "company/business/firm/enterprise/corporation", "team": "team/club",
    "organization": "organization/institution/agency/unit/army unit/association/party/administrative unit",
    "group": "gathering/kinship group",
    "food": "food/nutrient/dish/foodstuff/meal/fruit/meat", "animal": "animal/mammal/bird/fish/insect/pet",
    "plant": "plant/tree/flower/vascular plant", "vehicle": "vehicle/motor vehicle/craft/conveyance",
    "weapon": "weapon/gun", "clothing": "clothing/garment/covering/footwear",
    "device": "device/machine/instrument/equipment/tool",
    "computer program": "software/computer program/program",
    "film": "film/movie", "book": "book", "song": "song", "music": "music/musical composition",
    "show": "show/broadcast/program",
    "publication": "publication/periodical/magazine/newspaper", "work": "creative work/work of art/artwork",
    "document": "document/legal document", "sport": "sport/athletic game/game/athletics",
    "award": "award/prize/honor", "event": "social event/ceremony/contest/competition",
    "crime": "crime/felony/offense/misdemeanor/wrongdoing/violence",
    "legal proceeding": "legal action/legal proceeding/due process",
    "field of study": "discipline/science/subject/field/academic discipline/knowledge domain",
    "degree": "academic degree/degree",
    "job": "job/occupation/profession/position/employment",
    "money": "money/payment/income/wage/debt/monetary unit/asset/sum/cost/tax",
    "feeling": "feeling/emotion/mood", "belief": "belief/opinion/attitude",
    "message": "request/promise/letter",
    "activity": "pastime/hobby/diversion", "relationship": "relationship/marriage",
    "time": "time period/time unit/time/day of the week/season",
}  # fmt: skip
RUNG_LABELS = {rung: word for word, rungs in _RUNG_LABELS.items() for rung in rungs.split("/")}
# What a label calls a thing of which only the broadest class is known, in the order of WordNet's lexicographer files;
# of acts, states, ideas and the like the class says too little.
CLASS_LABELS = (
    "", "", "animal", "", "", "body part", "", "", "", "feeling", "food", "", "place", "", "",
    "person", "", "plant", "", "", "amount", "", "", "", "substance", "time",
)  # fmt: skip
# What the last word of a phrase says it is, where no taxonomy knows the phrase.
_ENDINGS = {
    "test": "titer titre assay panel screen smear culture swab biopsy scan ultrasound x-ray xray echo mammogram "
    "endoscopy colonoscopy maneuver sign reflex drawer screening serology",
    "finding": "effusion edema erythema murmur rale rhonchi wheeze gallop rub lesion nodule mass tenderness swelling "
    "fluctuance crepitus ecchymosis bruising discharge drainage exudate guarding rebound distension clubbing cyanosis "
    "hematochezia melena hematuria dysuria nocturia lightheadedness dizziness tremor rash ulcer viral-load load "
    "count bruit",
    "symptom": "pain ache aches nausea vomiting stiffness tingling numbness fatigue cough fever chills itching "
    "soreness cramp cramps heartburn headache dyspnea discomfort weakness sweats palpitation palpitations",
    "facility": "clinic hospital ward hospice infirmary rehab detox",
    "belief": "view views idea ideas opinion opinions creed conviction faith",
    "background": "heritage ancestry descent origin origins roots",
    "picture": "lithograph print etching watercolor photograph drawing engraving",
    "dose": "dose dosage",
    "task": "schoolwork fieldwork homework paperwork coursework housework assignment errand",
    "device": "cpap bipap pump catheter brace splint cast crutch walker cane wheelchair stent pacemaker epipen inhaler",
    "document": "form letter contract lease deed warrant subpoena affidavit certificate permit visa invoice receipt",
    "benefit": "pension benefit allowance stipend subsidy",
    "organization": "government ministry committee council agency department congregation tribunal",
    "role": "counselor counsellor therapist neighbor neighbour lodger tenant landlord deacon priest imam rabbi "
    "counterparty party guarantor lender borrower lessee lessor buyer seller "
    "champion winner finalist member volunteer intern trainee apprentice teammate roommate classmate supporter "
    "donor sponsor",
    "family member": "family child children grandchild grandchildren niece nephew cousin fiance fiancee widow "
    "widower stepson stepdaughter "
    "stepfather stepmother twin godson goddaughter in-law",
    "group": "group band choir parish crowd crew gang squad",
    "offense": "shoplifting robbery burglary theft assault arson fraud forgery trespass vandalism extortion perjury",
    "event": "election elections relapse party wedding funeral reunion holiday game match concert "
    "rally protest march parade",
    "campaign": "campaign drive pledge fundraiser appeal",
}  # fmt: skip
KIND_ENDINGS = {word: kind for kind, endings in _ENDINGS.items() for word in endings.split()}
# What says less than a kind, where the kind would tell too much.
PLAINER_LABELS = {
    "substance": "product", "drink": "product", "medicine": "product", "food": "product", "condition": "health matter",
    "injury": "health matter", "symptom": "finding", "test": "finding", "test result": "finding", "treatment": "care",
    "procedure": "care", "person": "role", "occupation": "role", "family member": "role", "religion": "belief",
    "political view": "belief", "nationality": "background", "crime": "offense", "hospital": "organization",
    "body part": "physical detail", "feeling": "status", "relationship": "status", "place": "location",
    "building": "location",
}  # fmt: skip
# How academic degrees are written and begin.
DEGREES = frozenset(
    "ba bs bsc ma ms msc mba mfa bfa phd md jd llb llm dvm dds dmd edd psyd mph msw bachelor bachelors master masters "
    "doctorate associate".split()
) - {"ms"}
# What a quantity measures, told by its unit.
_UNIT_LABELS = {
    "duration": "second seconds minute minutes hour hours day days night nights week weeks month months year years "
    "decade decades life lifetime",
    "dose": "mg mcg ml units tablet tablets capsule capsules puffs meq iu drops",
    "weight": "kg kilo kilos kilogram kilograms lb lbs pound pounds gram grams ton tons tonnes ounces oz stone",
    "length": "cm mm m km feet foot ft inch inches mile miles yards meters metres kilometers kilometres",
    "amount of money": "dollar dollars euro euros cents usd eur gbp pln chf sek nok dkk czk huf rub jpy cny inr aud "
    "cad zar try francs yen rubles zloty zlotys crowns rupees million billion",
    "percentage": "percent %",
    "number of times": "once twice thrice times",
    "number of people": "children sons daughters siblings brothers sisters people persons men women grandchildren "
    "employees members "
    "patients students wives husbands boys girls",
}  # fmt: skip
UNIT_LABELS = {unit: word for word, units in _UNIT_LABELS.items() for unit in units.split()}
# Peoples whose name is also that of their language, as it is written when somebody speaks it.
LANGUAGES = frozenset(
    "English Spanish French German Italian Portuguese Dutch Danish Swedish Norwegian Finnish Icelandic Polish "
    "Czech Slovak Hungarian Romanian Bulgarian Serbian Croatian Bosnian Slovenian Albanian Greek Turkish "
    "Russian Ukrainian Belarusian Lithuanian Latvian Estonian Georgian Armenian Arabic Hebrew Persian Farsi "
    "Kurdish Urdu Hindi Bengali Punjabi Gujarati Tamil Telugu Marathi Nepali Sinhala Thai Vietnamese Khmer "
    "Burmese Malay Indonesian Tagalog Chinese Mandarin Cantonese Japanese Korean Mongolian Swahili Amharic "
    "Somali Hausa Yoruba Igbo Zulu Afrikaans Welsh Irish Gaelic Basque Catalan Latin Yiddish Creole".split()
)
# What supporters of a party are called, with a capital.
POLITICAL_WORDS = frozenset(
    "republican democrat conservative liberal socialist communist progressive libertarian nationalist marxist "
    "tory".split()
)
