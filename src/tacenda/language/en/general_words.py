"""General words that people put into sentences: of all that a taxonomy knows, only these are offered as replacements.

"A continental breakfast" is a meal and, for a taxonomy, also nutriment, a substance and matter; "an endocrine pancreas
disorder" is true of diabetes, and nobody says it. Grouped for reading only.
"""

from __future__ import annotations

_SPOKEN = (
    # people
    "location/state or province/person/adult/woman/man/child/young person/baby/relative/parent/mother/father/spouse/"
    "wife/husband/"
    "sibling/"
    "friend/colleague/worker/employee/professional/scientist/"
    "biologist/"
    "physicist/chemist/engineer/scholar/philosopher/historian/writer/poet/journalist/author/musician/singer/composer/"
    "performer/entertainer/actor/actress/comedian/dancer/artist/painter/film maker/director/producer/teacher/educator/"
    "student/lawyer/judge/official/police officer/policeman/soldier/officer/military officer/serviceman/"
    "health professional/"
    "doctor/nurse/medical practitioner/technician/craftsman/assistant/supervisor/executive/administrator/"
    "leader/"
    "head of state/politician/legislator/diplomat/ruler/king/queen/aristocrat/businessperson/businessman/merchant/"
    "customer/owner/athlete/ballplayer/player/coach/inhabitant/criminal/"
    ""
    "litigant/religious person/clergyman/priest/spiritual leader/saint/theologian/advocate/representative/"
    "sick person/patient/believer/follower/supporter/member/graduate/architect/dramatist/reformer/farmer/driver/"
    # bodies and groups
    "organization/institution/company/business/firm/enterprise/industry/financial institution/bank/school/university/"
    "college/educational institution/secondary school/hospital/medical institution/team/club/league/party/"
    "political party/"
    "government/government department/agency/committee/council/court/legislature/army unit/military unit/church/"
    "denomination/family/community/association/union/alliance/band/musical organization/"
    "world organization/people/ethnic group/dynasty/"
    # places and buildings
    "place/country/state/city/state capital/national capital/capital/town/village/port/island/peninsula/continent/"
    ""
    "district/county/borough/river/lake/sea/ocean/body of water/stream/mountain/valley/shore/building/house/"
    "dwelling/residence/room/shop/restaurant/workplace/place of business/place of worship/facility/road/"
    "highway/"
    "tower/shelter/station/military installation/planet/celestial body/"
    # health
    "illness/disease/disorder/symptom/pain/infection/injury/inflammation/tumor/cancer/swelling/"
    "infectious disease/"
    "communicable disease/contagious disease/viral infection/hereditary disease/genetic disease/birth defect/"
    "cardiovascular disease/heart disease/blood disease/respiratory disease/kidney disease/liver disease/skin disease/"
    "eye disease/eye disorder/lung disease/metabolic disease/autoimmune disease/deficiency disease/mental disorder/"
    "kidney disorder/lung disorder/liver disorder/skin disorder/connective tissue disorder/neurodevelopmental disorder/"
    "neurodegenerative disease/mood disorder/movement disorder/rheumatic disorder/mouth disorder/breast disorder/"
    "bone marrow disorder/leukemia/lymphoma/epilepsy/dermatitis/intellectual disability/"
    "mental illness/nervous disorder/brain disorder/sleep disorder/bone disorder/inflammatory disease/disability/"
    "anemia/"
    "paralysis/allergy/psychological disorder/medicine/drug/hard drug/soft drug/narcotic/painkiller/analgesic/"
    "anti-inflammatory/antibiotic/antidepressant/vaccine/hormone/vitamin/anti-infective medicine/antihypertensive/"
    "sedative/"
    "stimulant/medical procedure/operation/surgery/treatment/therapy/medical care/care/diagnostic test/test/blood test/"
    "examination/imaging/body part/organ/internal organ/bone/muscle/joint/limb/gland/blood vessel/nerve/tissue/"
    "vital sign/"
    "microorganism/virus/bacteria/addiction/drug of abuse/controlled substance/alcohol/tobacco/"
    # nature, food, things
    "animal/mammal/bird/fish/insect/reptile/snake/horse/domestic animal/plant/tree/flower/herb/shrub/fruit/"
    "vegetable/meat/"
    "food/dish/meal/beverage/drink/baked goods/dairy product/salt/substance/chemical/metal/mineral/rock/"
    "gas/fuel/poison/vehicle/motor vehicle/car/ship/aircraft/public transport/machine/engine/computer/"
    "electronic device/electronic equipment/musical instrument/stringed instrument/percussion instrument/"
    "wind instrument/measuring instrument/tool/sports equipment/weapon/gun/firearm/clothing/garment/footwear/"
    "furniture/box/bag/building material/fabric/paper/money/currency/software/telephone/"
    # works and words
    "book/film/movie/play/song/musical composition/music/popular music/classical music/music genre/show/broadcast/"
    "drama/"
    "television series/album/painting/sculpture/photograph/picture/drawing/poem/story/novel/publication/newspaper/"
    "magazine/"
    "document/legal document/letter/report/article/speech/"
    "agreement/promise/request/proposal/belief/theory/plan/policy/law/rule/language/"
    "natural language/creative work/fictional character/religion/"
    # doings and happenings
    "sport/athletic game/game/card game/outdoor game/contact sport/contest/competition/race/match/"
    "social event/ceremony/religious ceremony/holiday/festival/meeting/journey/trip/war/"
    "military action/attack/crime/felony/wrongdoing/trial/due process/legal proceeding/investigation/research/"
    "profession/job/employment/trade/industry/commerce/art/performing arts/science/natural science/"
    "life science/social science/medical science/discipline/mathematics/biology/chemistry/physics/engineering/"
    "philosophy/"
    "education/academic degree/degree/award/prize/accident/misfortune/"
    "exercise/feeling/emotion/fear/happiness/relationship/marriage/"
    "payment/cost/tax/debt/income/gift/possession/insurance/weather/storm/disaster/"
    "day/day of the week/month/season/year/skill"
)  # fmt: skip
# What a taxonomy calls otherwise than people do: rung -> what stands in the sentence.
SAID_RUNGS = {
    "location": "place", "state or province": "state", "blood test": "test result", "relative": "family member",
    "natural language": "language", "movie": "film", "film maker": "filmmaker", "medical practitioner": "doctor",
    "sick person": "patient", "due process": "legal proceeding", "ballplayer": "player",
    "world organization": "organization", "capitalist": "businessperson", "serviceman": "member of the armed forces",
    "ill health": "illness", "pathological state": "medical condition",
    "hypersensitivity reaction": "allergic reaction",
    "scriptwriter": "writer", "antihypertensive": "blood pressure medicine", "opioid analgesic": "opioid painkiller",
    "analgesic": "painkiller", "nonsteroidal anti-inflammatory drug": "anti-inflammatory painkiller",
    # diseases by the part of the body
    "nervous system disorder": "neurological disorder", "central nervous system disorder": "neurological disorder",
    "peripheral nervous system disorder": "nerve disorder", "peripheral neuropathy": "nerve disorder",
    "musculoskeletal system disorder": "musculoskeletal disorder", "skeletal system disorder": "bone disorder",
    "arthritic joint disease": "joint disease", "muscle tissue disorder": "muscle disorder",
    "skeletal muscle disorder": "muscle disorder", "integumentary system disorder": "skin disorder",
    "immune system disorder": "immune disorder", "cardiovascular disorder": "cardiovascular disease",
    "heart disorder": "heart disease", "cardiac disease": "heart disease", "myocardial disorder": "heart disease",
    "vascular disorder": "vascular disease", "arterial disorder": "vascular disease",
    "peripheral vascular disease": "vascular disease", "cerebrovascular disorder": "cerebrovascular disease",
    "hematologic disorder": "blood disorder", "endocrine system disorder": "endocrine disorder",
    "digestive system disorder": "digestive disorder", "intestinal disorder": "bowel disorder",
    "large intestine disorder": "bowel disorder", "bowel dysfunction": "digestive disorder",
    "functional gastric disease": "stomach disorder", "esophageal disorder": "disorder of the esophagus",
    "reproductive system disorder": "reproductive disorder", "urinary system disorder": "urinary disorder",
    "respiratory system disorder": "respiratory disease", "lower respiratory tract disorder": "respiratory disease",
    "upper respiratory tract disorder": "respiratory disease", "psychiatric disorder": "mental disorder",
    "bacterial infectious disease": "bacterial infection", "viral infectious disease": "viral infection",
    "parasitic infectious disease": "parasitic infection", "neoplasm": "tumor", "cancer or benign tumor": "tumor",
    "epithelial neoplasm": "tumor", "benign neoplasm": "tumor", "carcinoma": "cancer",
}  # fmt: skip
SPOKEN_RUNGS = frozenset(_SPOKEN.split("/")) | frozenset(SAID_RUNGS)
