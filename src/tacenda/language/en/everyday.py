"""Everyday English words that are also written like names, or one letter away from one.

Used for one question only: when a name is looked for everywhere ("May", "Brown", "Reading"), is a
lower-case occurrence more likely the everyday word? Written by hand from closed word classes and from
the everyday words that double as given names, surnames and places; it need not be complete, since a
word that is missing is masked (the safe side).
"""

from __future__ import annotations

# Never matched in lower case, even for protected acronyms ("IT", "US", "WHO").
FUNCTION_WORDS = frozenset(
    """
    a about above across after again against ago all almost alone along already also although always am among an and
    another any are around as at away back be because been before behind being below between both but by came can
    come could did do does done down during each either else enough even ever every few first for from full get give
    go goes gone good got great had has have he her here hers him his how i if in inside into is it its itself just
    keep last late later least led left less let like long look made make many may me means might mine more most
    much must my near need never new next no none nor not now of off often oh ok old on once one only open or other
    our out over own part per put quite rather re run sad said same saw say see seen set several she should show
    side since six so some soon still such ten than that the their them then there these they this those though
    three through thus till to today together told too took two under until up upon us use used very via was way we
    well went were what when where whether which while who whom whose why will with within without would yes yet you
    your add aim air all ant arm art ask bad bag ban bar bat bed bee bet bid big bit box boy bus buy cab cap car cat
    cop cow cry cup cut dad day den dew die dig dim dip dog dot dry due ear eat egg ego end era eye fan far fat fee
    fig fit fix fly fog fun gap gas gum gun gut guy ham hat hen hip hit hop hot hub hut ice ill ink jam jar jet job
    joy key kid lab lap law leg lid lie lip log lot low mad man map mat men mix mom mud mug net nod nut oak odd oil
    owe pan pat pay pea pen pet pie pig pin pit pop pot pub rag ram rap rat raw red rid rip rob rod row rub rug sea
    sin sip sir sit ski sky son spy sum sun tag tap tax tea tie tin tip toe ton top toy try tub van vet war wax web
    wet win won
    """.split()
)

# Everyday words that double as names of people and places.
HOMOGRAPHS = frozenset(
    """
    abbey able amber angel apple april archer ash august aurora autumn bacon bailey baker ball banks barber barker
    barn baron bass bath bay beach bean bear beard beer bell berry best bill birch bird bishop black blake blaze
    blessing block bloom blue bond bone bones book booth bow bowl bowman brand brave bridge bridges bright brook
    brooks brown buck bull burn burns bush butcher butler camp canon carpenter carter carver case cash castle chance
    chapel chapman charity chase chef cherry china church clay clean clear clerk cliff close clover coach coal cole
    cook cooper coral corn cotton count country cox crane cross crow crown dale dance dart dawn day days dean deep
    delta destiny diamond dick dollar dove drake draper drew duke earl early east ebony eden elder english faith
    falcon fall farmer farrow fawn fern field fields finch fish fisher flood flores flowers flynn ford forest
    forrest foster fountain fox frank freeman frost fuller gage gale gardener garland gates gem genesis gilt ginger
    glass glory gold golden golf good goodman grace grand grant gray green grey grove guest gypsy hale hall hand
    hands hardy harmony harper hart harvest haven hawk hay hazel head heart heath heather henry hicks high hill
    hills hitch holiday holly holmes holt honey hood hook hope horn house hunt hunter hurst iris iron ivory ivy jack
    jade january jasmine jersey jewel joiner jolly joy judge july june justice keen kelly kind king kings kitchen
    knight knights lake lamb lance land lane lark laurel lawn leaf lee liberty light lily little lively lock london
    long lord love low lucky lynch major maker mango march marcher marine mark marks marina marsh marshall martin
    mason masters may mayor mead melody mercer mercy merry mile miles mill miller mills mobile monk moon moore moss
    mount myth naval nice nickel noble noon norm north oak ocean olive orange orchard page paine paint palm palmer
    pansy paris park parks parson parsons patience peace peak pearl peg penny pepper perry piers pike piper pitt
    place plain player poll pond pool poor pope port porter potter pound powder power pray price priest prince
    proctor proper prudent purple pure quick quill rain raven ray read reader reading reed regal rest rice rich
    ridge river rivers roads robin rock rocky rome root rose round rowan royal ruby rush russet sage sailor salt
    sand sands sandy savage say scarlet school scott sea seal sergeant sharp shaw shepherd short silver singer
    skinner sky slate slater small smart smile smiley snow solomon south spain spark sparks spear spring spruce
    squire star stark starr steel stein stern stone storm story street strong stout sugar summer sun swan sweet
    swift tailor tanner taylor teller temple terrace terry thorn timber tower towers town trinity true truth tucker
    turkey turn turner twist tyne usher vale valley vance victor victory viola violet virtue wade wagner wait walker
    wall waller walls ward warden ware warren waters way weaver web webb webster weeks welch well wells west whale
    wheat wheeler white wild wilde will wills wilt winter wise wolf wolfe wood woods worth wren wright yard young
    bank banker board centre center city clinic college committee commission company council county court department
    district division father mother brother sister doctor family federal government group health home hospital hotel
    institute international island market ministry national office officer party police president public region
    republic road sanders secretary section senate service society state station street team union united university
    """.split()
)

# Five letters and more, one letter away from frequent names: a lower-case look-alike is no typo.
NEAR_NAMES = frozenset(
    """
    aren brow milder killer smile
    about above ached acted actor admit adult after again agent alike alive allow alone along alter among anger
    angle ankle apart apply arena argue arise aside asked asset avoid award aware baked balls bands based basic
    basin basis batch bathe began begin begun below bench billy birds birth blame blank blast blend blind blond
    blood blown boast bonds boost bored bound brain brake brand bread break breed brick bride brief bring broad
    broke broom build built cable calls carry catch cause chain chair chalk charm chart cheap cheat check cheek
    chest chief child chill chose civil claim class climb clock cloth cloud coast could cover crack craft crash
    crazy cream crime crowd crude crush curve cycle daily dated dealt death debut delay depth diary dirty doing
    doubt dozen draft drain drama drank drawn dream dress dried drift drill drink drive drove drown drugs eager
    earth eight empty enemy enjoy enter entry equal error event every exact exist extra facts false fancy fault
    favor fever fewer fiber fight final finds fired fixed flame flash fleet flesh float floor focus force forms
    forth forty forum found frame fraud fresh front frown fruit fully funds funny giant given glory going grade
    grain grass grave great greed greek greet grief gross grown guard guess guide habit happy harsh heard heavy
    hence hired holds hoped horse hours human humor ideal image index inner issue items joint jokes judge juice
    knife knock known label labor large laser later laugh layer leads learn lease least leave legal level limit
    lines links lists lived liver loans local logic loose lower lucky lunch lying magic maker males manor marry
    match maybe meals means meant media metal meter might minor mixed model money month moral motor mouse mouth
    moved movie music named needs nerve never newly night noise nurse occur offer older order organ other ought
    outer owned owner panel panic parts party patch paths phase phone photo piano piece pilot pitch plane plant
    plate point pride prime print prior prize proof prose proud prove queen quiet quite quote radio raise range
    rapid ratio reach ready refer right rival roman rough route rural sadly saint sauce saved scale scene scope
    score sense serve seven shade shake shall shame shape share sheep sheet shelf shell shift shine shirt shock
    shoes shoot shore shown shows sides sight silly since skill skins sleep slide slope slows smith smoke solid
    solve sorry sound space spare speak speed spend spent spite split spoke sport staff stage stake stand start
    state steam steep stick still stock stood store stuff style super sweat sword table taken takes tales talks
    tapes taste taxes teach teeth tends terms tests thank theft their theme there these thick thing think third
    those three threw throw tight tired title today token tones topic total touch tough toxic track trade trail
    train trait trend trial tribe trick tried trips truck truly trunk trust twice types under union unite unity
    until upper upset urban usage usual valid value video virus visit vital voice voted waste watch water wheel
    where which while whole whose woman women words world worry worse worst would wound write wrong wrote years
    yield yours youth zones manner matter marked market marine mariner master matron martial margin mobile mother
    motion normal nearly parker parked parted pastor patent patient pattern person picked planet player please
    plenty poison police policy prefer pretty prison proper public rather reason record relate remain remove repair
    repeat report result return review safety sample school search season second secret secure select senior series
    server settle severe sister should simple single slight smooth social source speech spirit spoken spread square
    stable status steady street stress strike string strong studio submit sudden suffer supply surely survey switch
    system target tender thanks though thread threat throat ticket timing tissue toward travel treaty trying twenty
    unable unless update useful valley victim vision volume walked walker wanted wealth weight window winner winter
    wonder worked worker writer yellow johns jones anna anne marries merely marital wilson willow wills grant
    granted grants brook broken bother brother brothers burned turned learned listen driven given living loving
    having saving moving coming turning morning
    """.split()
)

EVERYDAY_WORDS = FUNCTION_WORDS | HOMOGRAPHS | NEAR_NAMES
