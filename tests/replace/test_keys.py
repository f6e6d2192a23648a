"""Keys: made, written once, read back, refused where unsafe."""

import os

import pytest

from tacenda.errors import InputError, UsageError
from tacenda.replace import keys

KEY = keys.Key(bytes(range(32)))


def test_a_key_file_is_private_and_never_overwritten(tmp_path):
    file = tmp_path / "key"
    made = keys.new_key()
    keys.write_key(made, file)
    assert file.stat().st_mode & 0o777 == 0o600
    assert keys.load_key(file) == made
    with pytest.raises(InputError, match="never overwritten"):
        keys.write_key(keys.new_key(), file)
    assert keys.new_key() != made


def test_a_key_that_others_can_read_is_refused(tmp_path):
    file = tmp_path / "key"
    keys.write_key(KEY, file)
    os.chmod(file, 0o644)
    with pytest.raises(InputError, match="chmod 600"):
        keys.load_key(file)


def test_a_key_from_the_environment(monkeypatch):
    monkeypatch.setenv(keys.VARIABLE, KEY.encoded())
    assert keys.load_key() == KEY
    monkeypatch.delenv(keys.VARIABLE)
    with pytest.raises(UsageError, match="tacenda key new"):
        keys.load_key()


@pytest.mark.parametrize("content", ["", "hello", "tacenda-key-1:AAAA", "tacenda-key-1:***", "é"])
def test_what_is_no_key_is_refused(tmp_path, content):
    file = tmp_path / "key"
    file.write_text(content, encoding="utf-8")
    file.chmod(0o600)
    with pytest.raises(InputError) as caught:
        keys.load_key(file)
    assert "hello" not in str(caught.value)


def test_a_missing_file_is_an_error(tmp_path):
    with pytest.raises(InputError, match="cannot be read"):
        keys.load_key(tmp_path / "none")


def test_nothing_of_the_key_is_shown():
    secret = keys.Key(b"canary-canary-canary-canary-1234")
    assert "canary" not in repr(secret)
    assert "canary" not in str(secret)


def test_purposes_do_not_run_together():
    assert KEY.derive("ab", "c") != KEY.derive("a", "bc")
    assert KEY.derive("a") == KEY.derive("a")
    assert KEY.derive("a") != keys.Key(bytes(32)).derive("a")
