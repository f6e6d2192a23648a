"""Shorthand of clinics, courts, offices and biographies: what it means, and what says nothing about anybody.

`SHORTHAND` spells out what a reader of the field reads: a mention written so is labelled by what it means.
`FORM_WORDS` and `HEADING_WORDS` are words of forms, doses and headings. Every document of the field has them, so
masking one hides nothing and breaks the page. No word stands there that may say something of a person: "PMH" does,
"PTSD" does not.
"""

from __future__ import annotations

_CLINICAL = {
    "hiv": "viral infection", "aids": "disease", "htn": "hypertension", "dm": "diabetes", "t2dm": "type 2 diabetes",
    "t1dm": "type 1 diabetes",
    "dm2": "type 2 diabetes",
    "cad": "coronary artery disease", "chf": "congestive heart failure", "hf": "heart failure",
    "afib": "atrial fibrillation",
    "copd": "chronic obstructive pulmonary disease", "ckd": "chronic kidney disease", "esrd": "kidney failure",
    "gerd": "gastroesophageal reflux", "uti": "urinary tract infection", "uri": "respiratory infection",
    "mi": "heart attack",
    "cva": "stroke", "tia": "stroke", "dvt": "thrombosis", "pe": "pulmonary embolism", "osa": "sleep apnea",
    "ptsd": "post-traumatic stress disorder", "ocd": "obsessive-compulsive disorder", "mdd": "depression",
    "gad": "anxiety disorder", "adhd": "attention deficit disorder", "bpd": "personality disorder",
    "tbi": "brain injury",
    "ra": "rheumatoid arthritis", "sle": "lupus", "ms": "multiple sclerosis", "bph": "prostate disease",
    "ibs": "bowel disease",
    "hld": "high cholesterol", "sob": "shortness of breath", "doe": "shortness of breath",
    "loc": "loss of consciousness",
    "etoh": "alcohol", "ivdu": "intravenous drug use", "pwid": "intravenous drug use", "thc": "cannabis",
    "oud": "opioid addiction",
    "aud": "alcoholism", "std": "sexually transmitted disease", "sti": "sexually transmitted disease",
    "hep c": "hepatitis C",
    "hcv": "hepatitis C", "hbv": "hepatitis B", "tb": "tuberculosis", "art": "antiretroviral therapy",
    "haart": "antiretroviral therapy", "prep": "HIV prevention", "rpr": "syphilis test", "vdrl": "syphilis test",
    "msm": "gay man",
    "ct": "scan", "mri": "scan", "cxr": "chest x-ray", "ekg": "electrocardiogram", "ecg": "electrocardiogram",
    "eeg": "brain scan",
    "cbc": "blood test", "bmp": "blood test", "cmp": "blood test", "a1c": "blood test", "hba1c": "blood test",
    "ua": "urine test",
    "lft": "liver test", "lfts": "liver test", "tsh": "thyroid test", "psa": "prostate test", "inr": "blood test",
    "emg": "muscle test",
    "cabg": "bypass surgery", "orif": "surgery", "tah": "hysterectomy", "tka": "knee surgery",
    "ivf": "fertility treatment", "vl": "blood test",
    "nsaid": "painkiller", "nsaids": "painkiller", "ssri": "antidepressant", "ssris": "antidepressant",
    "abx": "antibiotic",
    "iud": "contraceptive", "ocp": "contraceptive", "ocps": "contraceptive", "hctz": "diuretic", "asa": "aspirin",
}  # fmt: skip
_LEGAL = {
    "dui": "drunk driving", "dwi": "drunk driving", "dv": "domestic violence", "gbh": "assault", "abh": "assault",
    "tro": "restraining order", "gal": "guardian", "cps": "child protection", "llc": "company", "plc": "company",
}  # fmt: skip
_OFFICE = {"pto": "leave", "fmla": "leave", "lwop": "leave", "pip": "performance plan", "hr": "personnel department"}
# Folded shorthand -> what a reader of the field reads.
SHORTHAND = _CLINICAL | _LEGAL | _OFFICE

COUNTRIES_IN_SHORT = frozenset("UK US USA U.K. U.S. U.S.A. UAE USSR GB NZ".split())

# Said anywhere in a text of the field, of everybody.
FORM_WORDS = frozenset(
    # clinics: persons, doses, routes, times, findings that are as they should be, units
    "pt pts s/p c/o w/ w/o h/o r/o f/u y/o yo wnl nad perrla eomi rrr ctab ntnd aox3 nkda nka hx dx rx tx sx ddx cc "
    "hpi ros pmh psh denies denied endorses endorsed prescription prescriptions refill refills dose doses dosage "
    "palpation auscultation percussion "
    "bid tid qid qd qhs qam qpm q4h q6h q8h q12h prn po npo stat tab tabs cap caps meds med vitals labs bp rr spo2 "
    "heent msk abd "
    "mg mcg kg ml dl mmol meq iu bpm mmhg mph lb lbs oz cm mm rom "
    # courts
    "v vs no nos art arts para paras cf ibid supra infra seq esq hon applicant applicants appellant appellants "
    "appellee respondent respondents petitioner petitioners plaintiff plaintiffs claimant claimants defendant "
    "defendants admissibility alleged submits submitted lodged "
    # mails
    "bcc re fw fwd fyi asap eod cob tbd tba eta rsvp ps p.s. pls thx am pm a.m. p.m. mr mrs ms dr "
    "co corp inc ltd dept ext attn mgr congratulations congrats greetings mrn dob cheers".split()
)
# Said of nobody where they stand as a heading or before a colon.
HEADING_WORDS = FORM_WORDS | frozenset(
    "patient patients provider clinician subjective objective assessment assessments plan plans impression "
    "impressions fh sh "
    "chief complaint complaints present illness history histories past medical surgical social family review "
    "systems system "
    "physical exam exams examination examinations vital signs sign general constitutional eyes ears nose mouth "
    "throat neck "
    "cardiovascular respiratory gastrointestinal genitourinary musculoskeletal integumentary neurological neuro "
    "psychiatric psych "
    "endocrine hematologic lymphatic skin cardiac pulm ext gi gu cv resp lungs medication medications allergies "
    "allergy procedure "
    "procedures results result lab imaging diagnosis diagnoses follow follow-up followup disposition instructions "
    "recommendations "
    "orders order note notes visit encounter reason referral counseling education reasoning treatment testing "
    "agreements "
    "consultation specialty attending additional extremities extremity abdomen chest heart head back breasts "
    "breast vascular spine hip knee shoulder foot feet hand hands pain quality location severity duration onset "
    "inspection "
    "palpation auscultation range motion strength sensation gait throat ear tongue thyroid nodes "
    "decision judgment judgement court courts facts fact law merits admissibility relevant domestic applicant "
    "respondent plaintiff "
    "defendant petitioner appellant appellee section article articles paragraph rule rules annex exhibit exhibits "
    "counsel "
    "conclusion conclusions operative part background circumstances case introduction registry "
    "aggravating alleviating relieving factors factor scale intensity assessment risk functional status current "
    "context timing associated symptoms modifying previous treatments tests test interpretation level frequency "
    "radiation character opioid use item minutes present summary discussion evaluation goals barriers "
    "from to subject date sent attachment attachments attached reply forward original message hi hello dear regards "
    "best thanks "
    "sincerely yours career life early later personal works awards references".split()
)
# Between the words of a heading.
HEADING_LINKS = frozenset("and of the for in to & / - with or".split())
# Units and doses: a number stands before them.
UNITS = frozenset(
    "mg mcg g kg ml l dl mmol meq iu units unit bpm mmhg mph km lb lbs oz cm mm m ft in inches percent hz db gb mb "
    "kb w kw v "
    "tablet tablets capsule capsules puffs puff drops ng pg u".split()
)
