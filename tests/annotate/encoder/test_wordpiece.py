"""Our word pieces against the library they replace, and by hand."""

import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacenda.annotate.encoder.annotator import DATA
from tacenda.annotate.encoder.wordpiece import LONGEST_WORD, WordPiece

PIECES = WordPiece.load(DATA / "vocabulary.txt")
# Marks that Unicode has moved to another class since the library's tables were made.
MOVED = set("\u166d\u1734\u1885\u1886")
# Letters of Unicode 3.2: the library's tables are older than Python's.
SETTLED = [
    chr(code)
    for code in range(0x30000)
    if unicodedata.ucd_3_2_0.category(chr(code)) not in ("Cn", "Cs") and chr(code) not in MOVED
]
HARD = [
    "Straße ĐAKOVIĆ naïve Ångström ǅ ﬁ İstanbul ΌΣΟΣ",
    "e\u0301a\u0308 n\u0303 o\u0328\u0301 \u0301x a\u00adb c\u200dd \ufeffe",
    "東京 and 大阪市, 한국어 각 ไทย हिन्दी \U00020000",
    "don't e-mail a@b.co: $5 <x>^2 `q` ~ | + = «q» “r” … — ； ； ≮",
    "tab\tline\r\nvt\x0bff\x0cnel\x85nul\x00del\x7fus\x1f nbsp\xa0em\u2003ideo\u3000zwsp\u200bend",
    "x" * LONGEST_WORD + " " + "x" * (LONGEST_WORD + 1) + " Zdravko Kelmendi pneumonoultramicroscopic",
    "😀 👩‍👩‍👧 £20 €30 ½ ² ™ № Ⅷ",
]


def rows(text: str) -> list[tuple[int, int, int, bool]]:
    return list(zip(*(column.tolist() for column in PIECES.cut(text)), strict=True))


@pytest.fixture(scope="module")
def library():
    tokenizers = pytest.importorskip("tokenizers")
    vocabulary = (DATA / "vocabulary.txt").read_text(encoding="utf-8").rstrip("\n").split("\n")
    model = tokenizers.models.WordPiece({p: n for n, p in enumerate(vocabulary)}, unk_token="[UNK]")
    tokenizer = tokenizers.Tokenizer(model)
    tokenizer.normalizer = tokenizers.normalizers.BertNormalizer()
    tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.BertPreTokenizer()

    def cut(text: str) -> list[tuple[int, int, int, bool]]:
        found = tokenizer.encode(text, add_special_tokens=False)
        first = [n == 0 or word != found.word_ids[n - 1] for n, word in enumerate(found.word_ids)]
        return [(i, a, b, f) for i, (a, b), f in zip(found.ids, found.offsets, first, strict=True)]

    return cut


@pytest.mark.parametrize("text", HARD)
def test_hard_texts_are_cut_as_the_library_cuts_them(text, library):
    assert rows(text) == library(text)


@pytest.mark.slow
def test_every_letter_is_cut_as_the_library_cuts_it(library):
    for low in range(0, len(SETTLED), 500):
        text = " ".join(f"ab{letter}cd" for letter in SETTLED[low : low + 500])
        assert rows(text) == library(text)


@settings(max_examples=300, deadline=None)
@given(st.text(alphabet=st.one_of(st.sampled_from(SETTLED[:12000]), st.characters(max_codepoint=0x17F)), max_size=60))
def test_any_text_is_cut_as_the_library_cuts_it(library, text):
    assert rows(text) == library(text)


def test_pieces_by_hand():
    small = WordPiece(["[UNK]", "un", "##happi", "##ness", "is", "."])
    ids, start, end, first = small.cut("Unhappiness is bad.")
    assert ids.tolist() == [1, 2, 3, 4, 0, 5]
    assert list(zip(start.tolist(), end.tolist(), strict=True)) == [
        (0, 2),
        (2, 7),
        (7, 11),
        (12, 14),
        (15, 18),
        (18, 19),
    ]
    assert first.tolist() == [True, False, False, True, True, True]


def test_names_of_special_pieces_are_plain_text():
    assert [row[0] for row in rows("[SEP]")] != [102]
    assert len(rows("[SEP]")) >= 3


def test_remembered_runs_change_nothing():
    text = "Zdravko zdravko ZDRAVKO Zdravko"
    assert WordPiece.cut(PIECES, text)[0].tolist() == PIECES.cut(text)[0].tolist()
    assert len({tuple(r[0] for r in rows(word)) for word in text.split()}) == 1
