"""Words of people's names that are no names: titles, suffixes, particles; and short forms of given names."""

from __future__ import annotations

MALE_TITLES = frozenset("mr sir lord father brother king prince herr monsieur señor senor".split())
FEMALE_TITLES = frozenset(
    "mrs ms miss lady dame mother sister queen princess frau madame mme mlle madam señora senora".split()
)
TITLES = MALE_TITLES | FEMALE_TITLES | frozenset(
    "dr prof professor doctor judge justice president minister officer detective inspector sergeant constable captain "
    "colonel major general lieutenant rev reverend hon honourable honorable senator governor mayor chancellor advocate "
    "attorney counsel nurse rabbi imam pope bishop mx patient pt".split()
)  # fmt: skip
SUFFIXES = frozenset("jr sr ii iii iv esq md phd qc kc msc bsc mba rn".split())
PARTICLES = frozenset("van von de der den del della di da dos du la le al el bin ibn ben ter ten zu y of".split())
SHORT_NAMES = {
    "tom": "thomas", "bill": "william", "will": "william", "bob": "robert", "rob": "robert", "dick": "richard",
    "rick": "richard", "jim": "james", "jimmy": "james", "jack": "john", "johnny": "john", "joe": "joseph",
    "mike": "michael", "mick": "michael", "tony": "anthony", "ted": "edward", "ed": "edward", "ned": "edward",
    "harry": "henry", "hank": "henry", "chuck": "charles", "charlie": "charles", "dave": "david", "steve": "stephen",
    "kate": "katherine", "kathy": "katherine", "katie": "katherine", "liz": "elizabeth", "beth": "elizabeth",
    "betty": "elizabeth", "peggy": "margaret", "maggie": "margaret", "meg": "margaret", "molly": "mary",
    "polly": "mary", "sally": "sarah", "nancy": "anne", "annie": "anne", "sue": "susan", "dan": "daniel",
    "danny": "daniel", "nick": "nicholas", "larry": "lawrence", "andy": "andrew", "drew": "andrew",
    "kit": "christopher", "chris": "christopher", "sandy": "alexander",
    "alex": "alexander", "gene": "eugene", "bud": "william", "ben": "benjamin", "sam": "samuel", "matt": "matthew",
    "pete": "peter", "greg": "gregory", "jeff": "jeffrey", "ken": "kenneth", "ron": "ronald", "don": "donald",
    "ray": "raymond", "walt": "walter", "fred": "frederick", "frank": "francis", "phil": "philip", "pat": "patrick",
    "tim": "timothy", "vince": "vincent", "zach": "zachary", "josh": "joshua", "nate": "nathan", "max": "maximilian",
    "jerry": "gerald", "terry": "terence", "leo": "leonard", "lou": "louis", "abe": "abraham", "gus": "augustus",
    "becky": "rebecca", "vicky": "victoria", "mandy": "amanda", "jenny": "jennifer", "jen": "jennifer",
    "debbie": "deborah", "cathy": "catherine", "cindy": "cynthia", "patty": "patricia", "trish": "patricia",
    "gabby": "gabrielle", "ellie": "eleanor", "nora": "eleanor", "millie": "mildred", "dot": "dorothy",
}  # fmt: skip
