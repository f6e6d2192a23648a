"""Small tables of common names by culture, written for this product from general knowledge, and makers of new ones."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Literal

from tacenda.folding import fold

Gender = Literal["m", "f", ""]


@dataclass(frozen=True, slots=True)
class Culture:
    """Given names of men and women, family names, and endings by which a family name of the culture can be told."""

    name: str
    men: tuple[str, ...]
    women: tuple[str, ...]
    family: tuple[str, ...]
    endings: tuple[str, ...] = ()

    @property
    def family_first(self) -> bool:
        """Whether the family name may stand before the given one."""
        return self.name in ("chinese", "korean", "japanese")


def _culture(name: str, men: str, women: str, family: str, endings: str = "") -> Culture:
    return Culture(name, *(tuple(words.split()) for words in (men, women, family, endings)))


CULTURES = (
    _culture(
        "english",
        "James John Robert Michael William David Richard Thomas Charles Daniel Matthew Andrew Paul Mark George Kenneth "
        "Steven Edward Brian Ronald Kevin Jason Jeffrey Ryan Gary Nicholas Eric Stephen Jonathan Larry Scott Frank "
        "Benjamin Gregory Samuel Raymond Patrick Jack Dennis Peter Henry Douglas Adam Nathan Arthur Walter "
        "Harold Roger "
        "Keith Philip Simon Graham Stuart Colin Neil Ian Alan Derek Trevor Martin Oliver Harry Luke Sean Ralph Howard",
        "Mary Patricia Jennifer Linda Elizabeth Barbara Susan Jessica Sarah Karen Nancy Lisa Margaret Betty "
        "Sandra Ashley "
        "Dorothy Kimberly Emily Donna Michelle Carol Amanda Melissa Deborah Stephanie Rebecca Laura Sharon Cynthia "
        "Kathleen Amy Angela Shirley Anna Ruth Brenda Pamela Nicole Katherine Samantha Christine Emma "
        "Catherine Virginia "
        "Rachel Carolyn Janet Heather Diane Julie Joyce Victoria Kelly Christina Joan Evelyn Judith Megan "
        "Andrea Cheryl "
        "Hannah Jacqueline Martha Gloria Ann Jane Alice Helen Fiona Gillian Hazel Lucy Olivia Charlotte",
        "Smith Johnson Williams Brown Jones Davis Miller Wilson Moore Taylor Anderson Thomas Jackson White "
        "Harris Martin "
        "Thompson Robinson Clark Lewis Walker Hall Allen Young King Wright Hill Green Baker Adams Nelson "
        "Carter Mitchell "
        "Roberts Turner Phillips Campbell Parker Evans Edwards Collins Stewart Morris Rogers Reed Cook "
        "Morgan Bell Murphy "
        "Bailey Cooper Richardson Cox Howard Ward Peterson Gray Watson Brooks Kelly Sanders Price Bennett "
        "Wood Barnes Ross "
        "Henderson Coleman Jenkins Perry Powell Long Patterson Hughes Washington Butler Simmons Foster Bryant Russell "
        "Griffin Hayes Fisher Graham Marshall Harrison Gibson Wells Webb Palmer Hunter Holmes Mills Knight Fox Mason "
        "Barker Chapman Lambert Pearson Fletcher Bradley Wallace Burton Lawson Fuller Sutton Hopkins Dixon",
        "",
    ),
    _culture(
        "spanish",
        "José Juan Luis Carlos Jorge Miguel Antonio Francisco Pedro Manuel Alejandro Rafael Fernando Javier "
        "Sergio Andrés "
        "Diego Pablo Ricardo Eduardo Raúl Enrique Alberto Ramón Álvaro Ignacio Joaquín Rubén Hugo Emilio",
        "María Carmen Ana Isabel Lucía Elena Rosa Pilar Teresa Marta Cristina Sofía Gabriela Paula Alejandra "
        "Beatriz Silvia "
        "Natalia Dolores Mercedes Inés Raquel Adriana Verónica Guadalupe Consuelo Esperanza Valeria Ximena Rocío",
        "García Rodríguez Martínez Hernández López González Pérez Sánchez Ramírez Torres Flores Rivera Gómez "
        "Díaz Reyes "
        "Morales Cruz Ortiz Gutiérrez Chávez Ramos Ruiz Álvarez Mendoza Vásquez Castillo Jiménez Moreno Romero Herrera "
        "Medina Aguilar Vega Navarro Delgado Molina Suárez Ortega Peña Salazar",
        "ez",
    ),
    _culture(
        "french",
        "Jean Pierre Michel André Philippe René Louis Alain Jacques Bernard Marcel Nicolas François Olivier "
        "Julien Laurent "
        "Guillaume Mathieu Thierry Étienne Antoine Gérard Henri Luc Yves Benoît Pascal Didier",
        "Marie Jeanne Françoise Monique Nathalie Isabelle Sylvie Camille Chloé Élodie Aurélie Céline Sophie Juliette "
        "Brigitte Véronique Hélène Claire Margaux Amélie Manon Odile Colette Simone",
        "Dubois Durand Leroy Moreau Laurent Lefebvre Michel Bertrand Roux Fournier Girard Bonnet Dupont "
        "Lambert Fontaine "
        "Rousseau Vincent Muller Faure Mercier Blanc Guérin Boyer Garnier Chevalier Legrand Gauthier Perrin "
        "Marchand Dufour",
        "eau ault",
    ),
    _culture(
        "german",
        "Hans Peter Wolfgang Klaus Jürgen Dieter Manfred Uwe Günther Horst Heinz Stefan Andreas Matthias Markus Tobias "
        "Sebastian Florian Felix Lukas Jonas Helmut Gerhard Rainer Karl Friedrich Otto",
        "Ursula Helga Ingrid Renate Monika Gisela Petra Sabine Claudia Katrin Anja Heike Birgit Silke Lena "
        "Johanna Greta "
        "Hannelore Elke Gudrun Franziska Annika Ilse Liesel",
        "Müller Schmidt Schneider Fischer Weber Meyer Wagner Becker Schulz Hoffmann Koch Richter Klein Wolf Schröder "
        "Neumann Schwarz Zimmermann Braun Krüger Hofmann Hartmann Lange Werner Krause Lehmann Köhler Maier "
        "Keller Vogel",
        "mann",
    ),
    _culture(
        "italian",
        "Giuseppe Giovanni Mario Luigi Francesco Angelo Vincenzo Salvatore Marco Paolo Alessandro Matteo "
        "Lorenzo Davide "
        "Stefano Roberto Andrea Gianni Enzo Carlo Pietro Riccardo Emanuele",
        "Giulia Francesca Chiara Paola Alessandra Valentina Giovanna Lucia Angela Rosa Silvia Federica Elisa Martina "
        "Antonella Caterina Ilaria Bianca Daniela Serena",
        "Rossi Russo Ferrari Esposito Bianchi Romano Colombo Ricci Marino Greco Bruno Gallo Conti Costa "
        "Giordano Mancini "
        "Rizzo Lombardi Moretti Barbieri Fontana Santoro Mariani Rinaldi Caruso Ferrara Gatti Pellegrini",
        "ini elli etti ucci",
    ),
    _culture(
        "russian",
        "Ivan Sergei Alexander Dmitri Vladimir Mikhail Nikolai Andrei Alexei Igor Oleg Viktor Yuri Boris Anatoly Pavel "
        "Maxim Konstantin Evgeny Roman Kirill Vadim Leonid",
        "Olga Tatiana Natalia Svetlana Irina Elena Ekaterina Anastasia Ludmila Galina Marina Yulia Oksana Vera Nina "
        "Daria Ksenia Polina Larisa Valentina",
        "Ivanov Petrov Smirnov Kuznetsov Popov Sokolov Lebedev Kozlov Novikov Morozov Volkov Solovyov Vasiliev Zaitsev "
        "Pavlov Semyonov Golubev Vinogradov Bogdanov Fyodorov Mikhailov Belyaev Tarasov Orlov Makarov",
        "ov ova ev eva",
    ),
    _culture(
        "polish",
        "Jan Andrzej Krzysztof Piotr Tomasz Paweł Michał Marcin Grzegorz Jerzy Adam Zbigniew Wojciech Kazimierz Marek",
        "Anna Katarzyna Agnieszka Małgorzata Krystyna Barbara Ewa Elżbieta Zofia Joanna Magdalena Monika Teresa Danuta",
        "Nowak Kowalski Wiśniewski Wójcik Kowalczyk Kamiński Lewandowski Zieliński Szymański Woźniak "
        "Dąbrowski Kozłowski "
        "Jankowski Mazur Krawczyk Piotrowski Grabowski Pawłowski Michalski Zając",
        "ski ska cki cka czyk",
    ),
    _culture(
        "nordic",
        "Lars Erik Anders Per Nils Johan Magnus Henrik Mikael Jens Søren Niels Kjell Olav Bjørn Håkan Gunnar "
        "Sven Leif Arne",
        "Ingrid Astrid Karin Kristina Birgitta Sigrid Solveig Kirsten Mette Hanne Elin Maja Freja Linnea Marit Annika "
        "Britt Gerd Liv Tove",
        "Andersson Johansson Karlsson Nilsson Eriksson Larsson Olsson Persson Svensson Hansen Olsen Larsen Andersen "
        "Pedersen Nielsen Jensen Christensen Berg Lund Dahl Haugen Lindberg Sandberg Holm",
        "sson sen",
    ),
    _culture(
        "arabic",
        "Mohammed Ahmed Ali Hassan Hussein Omar Khalid Ibrahim Youssef Mahmoud Abdullah Mustafa Karim Samir "
        "Tariq Faisal "
        "Nasser Rashid Bilal Hamza",
        "Fatima Aisha Maryam Zainab Khadija Amina Layla Nour Salma Yasmin Hala Rania Samira Huda Leila Nadia Rana Dina",
        "Hassan Khalil Mansour Haddad Saleh Nasser Farah Aziz Rahman Salem Hamdan Qasim Darwish Najjar Shaheen Habib "
        "Sabbagh Kanaan Bishara Zaidan",
    ),
    _culture(
        "turkish",
        "Mehmet Mustafa Ahmet Hüseyin Hasan İbrahim Osman Yusuf Murat Emre Burak Kemal Selim Orhan Cem",
        "Ayşe Emine Hatice Zeynep Elif Meryem Esra Merve Sibel Özlem Gül Derya Pınar Selin Defne",
        "Yılmaz Kaya Demir Çelik Şahin Yıldız Öztürk Aydın Arslan Doğan Kılıç Aslan Çetin Kara Koç Kurt Özdemir Şimşek",
        "oğlu oglu",
    ),
    _culture(
        "indian",
        "Raj Amit Sanjay Vijay Rahul Arjun Anil Suresh Ramesh Rajesh Deepak Ashok Vikram Rohan Nikhil Kiran Manoj Arun "
        "Gopal Harish",
        "Priya Anjali Sunita Kavita Lakshmi Meena Pooja Neha Asha Divya Geeta Rekha Shanti Sita Usha Nisha Radha Deepa "
        "Swati Kamala",
        "Sharma Patel Singh Kumar Gupta Reddy Shah Mehta Desai Iyer Nair Rao Joshi Verma Mishra Chopra Kapoor Banerjee "
        "Mukherjee Das Bose Pillai Menon Agarwal Bhatt",
    ),
    _culture(
        "chinese",
        "Wei Jun Ming Qiang Lei Feng Tao Bo Hao Peng Jian Yong Gang Chao Dong",
        "Fang Na Xiuying Jing Li Yan Mei Hui Ling Xia Juan Qian Ting Hong Yun",
        "Wang Li Zhang Liu Chen Yang Huang Zhao Wu Zhou Xu Sun Ma Zhu Hu Guo He Lin Gao Luo Zheng Liang Xie Tang Deng",
    ),
    _culture(
        "japanese",
        "Hiroshi Takashi Kenji Satoshi Makoto Akira Yuki Daisuke Kazuo Haruto Ren Shinji Taro Masaru Naoki",
        "Yoko Keiko Akiko Naomi Sakura Yumi Haruka Emi Tomoko Michiko Kaori Aya Mai Hanako Reiko",
        "Sato Suzuki Takahashi Tanaka Watanabe Ito Yamamoto Nakamura Kobayashi Kato Yoshida Yamada Sasaki Yamaguchi "
        "Matsumoto Inoue Kimura Hayashi Shimizu Mori Abe Ikeda Hashimoto Ogawa",
        "moto mura yama kawa",
    ),
    _culture(
        "korean",
        "Minjun Jihoon Seojun Hyunwoo Dongwook Jaehyun Sungmin Youngho Taeyang Kwang",
        "Jiwoo Seoyeon Minji Hyejin Soyoung Eunji Yuna Jisoo Hana Sujin",
        "Kim Lee Park Choi Jung Kang Cho Yoon Jang Lim Han Shin Seo Kwon Hwang Ahn Song Hong",
    ),
    _culture(
        "african",
        "Kwame Kofi Chinedu Emeka Oluwaseun Tunde Babatunde Sipho Thabo Juma Amadou Moussa Ibrahima Themba Obinna",
        "Ama Akosua Ngozi Chioma Adaeze Folake Nomsa Thandiwe Zanele Fatou Aminata Wanjiru Abena Ifeoma Lindiwe",
        "Mensah Owusu Okafor Adeyemi Okonkwo Nwosu Dlamini Nkosi Diallo Traoré Mwangi Kamau Otieno Banda Moyo Asante "
        "Boateng Eze Ndiaye Sow",
    ),
)  # fmt: skip
EITHER = tuple(
    "Alex Robin Sam Jordan Casey Morgan Jamie Taylor Avery Quinn Rowan Sidney Kim Leslie Marion Chris".split()
)

COUNTRIES = tuple(
    "Argentina|Australia|Austria|Belgium|Bolivia|Brazil|Bulgaria|Canada|Chile|China|Colombia|Croatia|"
    "Cuba|Cyprus|Denmark|"
    "Ecuador|Egypt|Estonia|Finland|France|Georgia|Germany|Ghana|Greece|Guatemala|Hungary|Iceland|India|"
    "Indonesia|Ireland|"
    "Israel|Italy|Jamaica|Japan|Kenya|Latvia|Lithuania|Malaysia|Malta|Mexico|Morocco|Nepal|Netherlands|"
    "New Zealand|Nigeria|"
    "Norway|Pakistan|Panama|Peru|Philippines|Poland|Portugal|Romania|Russia|Scotland|Senegal|Serbia|Slovakia|Slovenia|"
    "South Africa|South Korea|Spain|Sweden|Switzerland|Thailand|Tunisia|Turkey|Ukraine|Uruguay|Vietnam|Wales|England|"
    "United Kingdom|United States|UK|USA".split("|")
)
STATES = tuple(
    "Alabama|Alaska|Arizona|Arkansas|California|Colorado|Connecticut|Delaware|Florida|Hawaii|Idaho|"
    "Illinois|Indiana|Iowa|"
    "Kansas|Kentucky|Louisiana|Maine|Maryland|Massachusetts|Michigan|Minnesota|Mississippi|Missouri|"
    "Montana|Nebraska|Nevada|"
    "New Hampshire|New Jersey|New Mexico|New York|North Carolina|North Dakota|Ohio|Oklahoma|Oregon|Pennsylvania|"
    "Rhode Island|South Carolina|South Dakota|Tennessee|Texas|Utah|Vermont|Virginia|Washington|West Virginia|Wisconsin|"
    "Wyoming".split("|")
)

_STEMS = (
    "Ash Alder Ald Amber Bar Bel Birch Black Bram Brent Bridge Bright Brook Burn Cal Carl Castle Chal "
    "Clay Cliff Cold Crom "
    "Dal Dan Dar Deer Dun East El Elm Ester Fair Fal Farn Fern Glen Gold Grand Grey Hal Har Hart Hazel "
    "Hol Ivy Kel Kirk Lang "
    "Lin Long Mal Mar Mel Mid Mill Mor New Nor North Oak Old Or Pem Pen Quarr Rad Raven Red Ridge Rock "
    "Rose Rush San Sel "
    "Shel Silver South Stan Stone Sund Swan Tan Thorn Tor Wal War Wes West White Wil Win Wood Yar"
).split()
_PLACE_ENDS = "ton ford bury ham field wick worth dale burgh mouth stead ley by port minster holme".split()
_FAMILY_ENDS = "ley well man son ridge croft gate shaw stone combe den more row land by thorpe".split()

PLACES = tuple(stem + end for stem in _STEMS for end in _PLACE_ENDS)
MADE_FAMILY = tuple(stem + end for stem in _STEMS for end in _FAMILY_ENDS)


@cache
def given_names() -> dict[str, list[tuple[Culture, Gender]]]:
    """Folded given name -> the cultures and genders it is known in."""
    found: dict[str, list[tuple[Culture, Gender]]] = {}
    genders: tuple[Gender, Gender] = ("m", "f")
    for culture in CULTURES:
        for names, gender in zip((culture.men, culture.women), genders, strict=True):
            for name in names:
                found.setdefault(fold(name), []).append((culture, gender))
    return found


@cache
def family_names() -> dict[str, Culture]:
    """Folded family name -> the first culture it is known in."""
    return {fold(name): culture for culture in reversed(CULTURES) for name in culture.family}


def culture_of_family(name: str) -> Culture | None:
    """Tell the culture of a family name by the tables or by its ending; None: it cannot be told."""
    folded = fold(name)
    known = family_names().get(folded)
    if known is not None or len(folded) < 5:
        return known
    return next((c for c in CULTURES if c.endings and folded.endswith(tuple(map(fold, c.endings)))), None)
