"""Small words by what they do: articles, prepositions, words that carry no meaning of their own."""

from __future__ import annotations

import re

STOP_WORDS = frozenset(
    "a an the this that these those some any each every no its his her their our your my "
    "of in on at by for to from with and or as is are was were be been being s".split()
)
DETERMINERS = frozenset(
    "the a an this that these those his her their its my our your some any no each every another either neither "
    "both all many several few much more most such what which whose one two three four five six seven eight nine "
    "ten enough".split()
)
ARTICLES = frozenset(("the", "a", "an"))
PREPOSITIONS = frozenset("of for in at from with by to on against between during under over as into about than".split())
NO_NOUNS = frozenset(
    "first second third fourth fifth sixth seventh eighth ninth tenth last next former latter other another same one "
    "two three four five six seven eight nine ten better best more most well highest lowest then now later so re co "
    "ex pre anti there here mg mcg ml cm mm kg lb ft times daily both himself herself itself "
    "themselves myself yourself".split()
)
NO_NOUN_AFTER = frozenset(
    "and who which that was were has had have but for with from when where while then also since after before won "
    "are is into onto not would could can may will did does because during until under over about than held found "
    "gave took made said says wrote began became left went came got lost sent told lies near against between through "
    "whose whom upon should must might shall led ran met kept saw set put where there here again rose fell grew knew "
    "spoke sang drove flew bought brought thought taught fought stood sat spent built sold paid heard felt chose broke "
    "drew threw shot hit cut ate drank wore lives works plays says takes makes stars writes has".split()
)
# Carry nothing at the edge of a finding, beside the stop words.
EDGE_WORDS = frozenset(("s", "t", "and", "or", "by", "with", "from", "as", "about", "both"))
# Names of fields: nobody is called so.
FIELD_WORDS = frozenset(
    "tel telephone phone fax mobile email mail iban bic swift mrn dob ssn zip no nos nr number ref re subject date "
    "from to cc bcc sent page mon tue wed thu fri sat sun monday tuesday wednesday thursday friday saturday "
    "sunday".split()
)
# Words that say what kind of body it is; alone they name none, though they may stand for one nearby.
KINDS_OF_BODIES = frozenset(
    "administration agency army assembly association authority bank board bureau cabinet centre chamber church "
    "clinic club college commission committee company council court department embassy faculty force foundation "
    "fund government group hospital industries institute league ministry municipality navy office parliament party "
    "police prison prosecution registry school senate service society state team tribunal union university".split()
)
# Acronyms whose lower-case letters are an English word; a form in capitals does not match these.
WORDS_LIKE_ACRONYMS = frozenset("aids la us it who std arc sad add ms as is or in and all pain care can pad".split())
# Those that stand in any text in lower case and hardly ever mean what the letters stand for: "art. 25".
EVERYDAY_ACRONYMS = frozenset(("art",))
# Of glosses in a dictionary; they tell no sense apart.
GLOSS_WORDS = frozenset(
    "or not who which has have had it he she they them him we you i very more most such than that when where "
    "into other one two also may can usually often especially used etc but so if up out about".split()
)
# Stems of the WHO's international nonproprietary names that are long enough to end no name of a person or place.
DRUG_NAME = re.compile(
    "[a-z]{2,}(?:"
    "sartan|dopril|nopril|topril|olol|vastatin|conazole|prazole|nidazole|[aix]cillin|[aeo]mycin|floxacin|cycline|gliptin|"
    "gliflozin|glitazone|glutide|formin|[do]dipine|azosin|thiazide|semide|[a-z]{2}parin|xaban|gatran|grelor|"
    "dogrel|sugrel|ximab|zumab|limumab|tinib|ciclib|oplatin|itaxel|rubicin|trexate|[dvr]ocaine|curium|profen|coxib|oxicam|"
    "triptan|setron|lukast|eterol|tropium|ethasone|onazepam|azepam|zolam|zodone|oxetine|traline|faxine|tiapine|"
    "zapine|azepine|gabalin|racetam|barbital|[mo]tidine|dronate|tegravir|buvir|ciclovir|phylline)"
)
# Verbs as common as function words that can carry what a sentence tells: "used until 2015", "took it daily".
TELLING_VERBS = frozenset("use uses used using take takes took taken taking".split())
# Last words of phrases that say when or how long.
TIME_NOUNS = frozenset(
    "second minute hour day night morning afternoon evening week weekend fortnight month year decade seconds minutes "
    "hours days nights mornings afternoons evenings weeks weekends fortnights months years decades".split()
)
# Last words of phrases that are said of a person, whatever a taxonomy makes of the phrase.
PERSON_NOUNS = frozenset(
    "addict alcoholic user abuser drinker smoker junkie drunk drunkard homosexual lesbian gay transsexual carrier "
    "partner sufferer survivor victim offender felon convict prisoner inmate detainee immigrant refugee migrant dealer "
    "patient client".split()
)
# What is called so is not what its noun says: a "former actor", a "non-speaking role".
UNDOING = frozenset(
    "non former ex fake false alleged mock pseudo anti imaginary fictional would so-called supposed failed unborn "
    "stillborn artificial no not never without near quasi same only".split()
)

# Verbs that only bring in what is said: they never carry it.
SAYING_WORDS = frozenset(
    "say says said saying tell tells told telling state states stated report reports reported mention mentions "
    "mentioned note notes noted ask asks asked explain explains explained think thinks thought know knows knew feel "
    "feels felt".split()
)
# Nouns that say of somebody hardly more than that it is a person.
PEOPLE = frozenset(
    "man men woman women boy girl guy lady gentleman adult teenager teen youth child children kid baby infant toddler "
    "male female individual person people human resident citizen caller stranger fellow".split()
)
# Heads that say nothing without the words before them: "sickle cell trait" is no "trait".
EMPTY_HEADS = frozenset(
    "trait use pitch type version fraction part form kind level rate way thing matter case filling stress fact side "
    "line point area favor factor factors scale basis set sort piece range degree amount number count load "
    "status state position role term item issue aspect manner extent series length size result results failure sign "
    "signs attack arrest node nodes movement movements sound sounds dose doses stool stools loss change changes rest "
    "section activity disturbance exposure".split()
)
