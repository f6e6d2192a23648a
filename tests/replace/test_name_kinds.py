"""What a name is, told by its own words and by those beside it."""

import pytest

from tacenda.replace.name_kinds import head_kinds, work_kinds


@pytest.mark.parametrize(
    ("name", "kinds"),
    [
        ("Boston University", ("university", "organization")),
        ("University of Oxford", ("university", "organization")),
        ("Warsaw District Court", ("district court", "court", "organization")),
        ("three Golden Globe Awards", ("award",)),
        ("Duke of York's Theatre", ("theatre", "organization")),
        ("Minister of Education", ("minister", "position")),
        ("Best Supporting Actress", ("award",)),
        ("Casco Bay", ("bay", "place")),
        ("Crimson Tide", ()),
        ("Court", ()),  # the noun alone is no name that bears it
        ("Avengers: Infinity War", ()),
        ("Jungle Book (1994)", ()),
    ],
)
def test_head_kinds(name, kinds):
    assert head_kinds(name) == kinds


@pytest.mark.parametrize(
    ("name", "before", "after", "kinds"),
    [
        ("The Mask (1994)", "He played in the comedy ", "", ("film", "creative work")),
        ("The Mask", "He played in the comedy ", " and left", ("film", "creative work")),
        ("Hurlyburly", "for the 1984 Broadway ", " he won", ("play", "creative work")),
        ("The Hours (2002)", "", "", ("creative work",)),
        ("The Hours", "", " (2002), a novel", ("book", "creative work")),
        ("Brat Pack", "one of the ", " of the film world", ()),
        ("Sheriff Woody", "in the role of ", "", ()),
        ("Titanic (1997)", "in the film ", "", ("film", "creative work")),  # one of the two goes when all is smoothed
    ],
)
def test_work_kinds(name, before, after, kinds):
    assert work_kinds(name, before, after) == kinds
