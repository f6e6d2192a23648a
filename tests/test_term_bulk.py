from hypothesis import example, given
from hypothesis import strategies as st

from tacenda.term import tokens, written_key, written_words

odd = st.text(st.sampled_from("aB'’sS- _.ﬁßÉéıİǅ½²…\u00ad\u0301\u200bжЖ中\0\n\x1c\u3000AIDS4x"), max_size=25)


@given(odd | st.text(max_size=30))
@example("HI\u00adV’S")
@example("ÉCOLE d'Été L'ÎLE")
@example("ẞABCDE İS ǅA")
def test_bulk_words_are_those_of_tokens(text: str) -> None:
    words, written = written_words(text)
    keys = [written_key(word) for word in words] if written else words
    assert keys == [token.key for token in tokens(text)]
