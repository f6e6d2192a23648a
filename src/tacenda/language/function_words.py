"""Frequent words of languages that are often mixed up, and what is said in the shortest sentences ("I am called", "has
a fever"): facts of the languages, no model.
"""

WORDS = {
    "English": (
        "the of and to in a is was for on that with he as by at his it from be had she her are were this an not or "
        "which has have but they who been their no patient denies states i you we"
    ),
    "French": (
        "le la les des et en un une du est dans que qui pour sur au par pas il elle avec sont ce ne aux plus je tu "
        "nous vous ils elles mon ma mes son sa ses leur leurs notre votre cette ces été était étaient être avoir "
        "avait ont ai suis sommes fait faire peut mais ou où si aussi très bien sans sous chez entre depuis pendant "
        "avant après comme tout tous toute rien jamais encore déjà hier demain aujourd'hui bonjour merci monsieur "
        "madame docteur malade douleur j'ai c'est n'est qu'il d'un d'une l'on s'est m'appelle appelle"
    ),
    "German": (
        "der die und das den von zu mit ist im des auf für nicht eine ein dem sich als er es auch wurde bei sie ich "
        "bin bist sind sein seine seiner ihr ihre ihm ihn wir uns mein meine dein hat haben hatte wird werden "
        "worden war waren kann können muss keine kein keinen einen einem einer eines am um aus nach seit vor über "
        "unter zum zur noch nur schon sehr wenn weil dass daß oder aber wie wo wer warum hier dort heute gestern "
        "morgen viele vielen jahre jahren herr frau kommt geht wohnt heißt guten danke bitte krank schmerzen diese "
        "dieser dieses"
    ),
    "Spanish": (
        "el la los las de y en que un una del es por con se para su al lo como más fue este ha sus era yo él ella "
        "nosotros ellos mi mis tu nos le les me no ni sin sobre entre desde hasta cuando donde muy también ya pero "
        "porque si está están estaba ser tiene tienen tenía tengo hay hace han había soy eres somos son esta esto "
        "eso ese esa todo todos nada hoy ayer mañana señor señora hijo hija años año días gracias buenos dolor "
        "fiebre llamo llama vive"
    ),
    "Italian": (
        "il lo gli di che e la per un una del è con non si da al sono della nel le dei più ha alla io lui lei noi "
        "loro mi ti ci vi mio mia suo sua suoi nella nelle dello delle degli dal dalla sul sulla ai agli alle "
        "questo questa quello ma o se come dove quando anche molto ancora già era erano essere avere ho hai abbiamo "
        "hanno stato stata fa chiamo chiama oggi ieri domani signor signora figlio figlia anni giorni grazie "
        "buongiorno dolore febbre abita"
    ),
    "Portuguese": (
        "o os as de e que do da em um uma para com não se na no por mais dos foi ao das pelo como eu ele ela nós "
        "eles meu minha seu sua seus suas nos nas à às pela isso este esta esse essa muito também já mas porque ou "
        "sem sobre entre até quando onde está estão estava ser ter tem têm tinha tenho há foram são sou era hoje "
        "ontem amanhã senhor senhora filho filha anos dias obrigado obrigada bom dor febre chamo mora"
    ),
    "Dutch": (
        "de het een van en in is op te dat die voor met zijn niet aan er om door ook als werd bij naar ik jij je "
        "hij zij ze wij we mijn jouw haar hun ons onze ben bent was waren heeft hebben had wordt worden kan kunnen "
        "moet geen maar want dan nog wel al uit over onder tot na sinds heel zeer hier daar wat wie waar vandaag "
        "gisteren morgen meneer mevrouw jaar jaren woont heet komt gaat ziek pijn deze dit goed dank"
    ),
    "Catalan": (
        "el la els les de i en que un una del és per amb se al no va seu dels més com ha també jo ell ella meu meva "
        "seva són està estan tinc té molt però avui ahir demà senyor senyora anys dies gràcies"
    ),
    "Polish": (
        "i w na z się do nie jest to że przez po od za oraz dla był jak jego a są przy tym ja ty on ona my oni mój "
        "moja mnie mi jej ich ma mam była było były być tak też ale bo lub czy co kto gdzie kiedy bardzo już "
        "jeszcze dziś wczoraj jutro pan pani lat roku dni ból gorączkę dzień dobry dziękuję"
    ),
    "Swedish": (
        "och i att en som det av för på är med den till ett har de inte om var han sig från jag du hon vi ni min "
        "mitt mina din sin sitt sina hade blev kan ska måste men eller när där här vad vem mycket också redan idag "
        "igår imorgon herr fru år dagar bor heter kommer går sjuk ont tack"
    ),
    "Danish": (
        "og i at en som det af for på er med den til et har de ikke om var han sig fra jeg du hun vi min mit mine "
        "din sin havde blev kan skal må men eller når hvor her hvad hvem meget også allerede dag går herr fru år "
        "bor hedder kommer syg ondt tak"
    ),
    "Turkish": (
        "ve bir bu için ile de da olarak en daha olan çok gibi ancak kadar sonra ise mi ne ben sen o biz siz onlar "
        "benim var yok değil ama hem bugün dün yarın bay bayan yıl gün hasta ağrı adım"
    ),
}
