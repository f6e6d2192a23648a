"""Pictures: copied with their allowed keys, without what cameras and programs write into them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tacenda.formats.pdf.unreadable import Unwritable

KEYS = ("/Width", "/Height", "/BitsPerComponent", "/ImageMask", "/Decode", "/Interpolate", "/Intent", "/Matte")
SHORT = {
    "/W": "/Width", "/H": "/Height", "/BPC": "/BitsPerComponent", "/CS": "/ColorSpace", "/D": "/Decode",
    "/IM": "/ImageMask", "/I": "/Interpolate", "/F": "/Filter", "/DP": "/DecodeParms",
}  # fmt: skip
SPACES = {"/G": "/DeviceGray", "/RGB": "/DeviceRGB", "/CMYK": "/DeviceCMYK", "/I": "/Indexed"}
MASKS = 3


def copy(target: Any, stream: Any, copy_value: Callable[[Any], Any], depth: int = 0) -> tuple[Any, int]:
    """Return a picture in the new file and how many notes inside it were left out."""
    from pikepdf import Array, Name, Stream

    filters = stream.get("/Filter")
    last = str(filters[-1] if isinstance(filters, Array) and len(filters) else filters)
    notes = 0
    if last in ("/DCTDecode", "/JPXDecode", "/CCITTFaxDecode", "/JBIG2Decode"):
        data, parameters = _unwrap(target, stream, filters)
        if last == "/DCTDecode":
            clean = strip_jpeg(data)
            notes, data = int(clean != data), clean
        elif last == "/JPXDecode":
            data = strip_jpeg2000(data)
        made = target.make_stream(data)
        made.Filter = Name(last)
        if parameters is not None:
            made.DecodeParms = copy_value(parameters)
    else:
        made = target.make_stream(stream.read_bytes())
    made.Type, made.Subtype = Name.XObject, Name.Image
    for key in KEYS:
        if key in stream:
            made[key] = copy_value(stream[key])
    if "/ColorSpace" in stream:
        made.ColorSpace = copy_value(stream.ColorSpace)
    for key in ("/SMask", "/Mask"):
        mask = stream.get(key)
        if isinstance(mask, Stream) and depth < MASKS:
            made[key], more = copy(target, mask, copy_value, depth + 1)
            notes += more
        elif isinstance(mask, Array):
            made[key] = copy_value(mask)
    if "/SMaskInData" in stream:
        made.SMaskInData = copy_value(stream.SMaskInData)
    return made, notes


def _unwrap(target: Any, stream: Any, filters: Any) -> tuple[bytes, Any]:
    """Return the packed data of a picture without the packings around it, and its parameters."""
    from pikepdf import Array, Dictionary

    parameters = stream.get("/DecodeParms")
    raw = stream.read_raw_bytes()
    if not isinstance(filters, Array):
        return raw, parameters if isinstance(parameters, Dictionary) else None
    given = list(parameters) if isinstance(parameters, Array) else [parameters] if len(filters) == 1 else []
    if any(isinstance(p, Dictionary) for p in given[:-1]):
        raise Unwritable("a picture packed twice")
    if len(filters) > 1:
        outer = target.make_stream(raw)
        outer.Filter = Array(list(filters)[:-1])
        raw = outer.read_bytes()
    last = given[len(filters) - 1] if len(given) == len(filters) else None
    return raw, last if isinstance(last, Dictionary) else None


def inline(target: Any, item: Any, space: Callable[[Any], Any], copy_value: Callable[[Any], Any]) -> Any:
    """Turn an inline picture into one of the new file."""
    from pikepdf import Array, Name

    image = item.iimage
    data = image._data._inline_image_raw_bytes()
    made = target.make_stream(data)
    made.Type, made.Subtype = Name.XObject, Name.Image
    for key, value in image.obj.items():
        name = SHORT.get(key, key)
        if name in ("/Filter", "/DecodeParms"):
            made[name] = _long_filter(value) if name == "/Filter" else copy_value(value)
        elif name == "/ColorSpace":
            found = space(value) if isinstance(value, Name) else None
            if found is not None:
                made[name] = found
            elif isinstance(value, Array):
                made[name] = Array(
                    [Name(SPACES.get(str(v), str(v))) if isinstance(v, Name) else copy_value(v) for v in value]
                )
            else:
                made[name] = _space(value)
        elif name in KEYS:
            made[name] = copy_value(value)
    return made


def _space(name: Any) -> Any:
    from pikepdf import Name

    return Name(SPACES.get(str(name), str(name)))


def _long_filter(value: Any) -> Any:
    from pikepdf import Array, Name

    names = {
        "/AHx": "/ASCIIHexDecode", "/A85": "/ASCII85Decode", "/LZW": "/LZWDecode", "/Fl": "/FlateDecode",
        "/RL": "/RunLengthDecode", "/CCF": "/CCITTFaxDecode", "/DCT": "/DCTDecode",
    }  # fmt: skip
    if isinstance(value, Array):
        return Array([Name(names.get(str(v), str(v))) for v in value])
    return Name(names.get(str(value), str(value)))


def strip_jpeg(data: bytes) -> bytes:
    """Take EXIF, XMP, comments and previews away; JFIF and Adobe's marker (needed for colors) and ICC profiles stay."""
    if data[:2] != b"\xff\xd8":
        return data
    out, at = bytearray(b"\xff\xd8"), 2
    while at + 4 <= len(data) and data[at] == 0xFF:
        marker = data[at + 1]
        if marker == 0xFF:
            at += 1
            continue
        if marker == 0xDA:
            break
        length = int.from_bytes(data[at + 2 : at + 4])
        segment = data[at : at + 2 + length]
        keep = marker not in range(0xE1, 0xEE) and marker not in (0xEF, 0xFE)
        if keep or (marker == 0xE2 and segment[4:15] == b"ICC_PROFILE"):
            out += segment
        at += 2 + length
    end = data.rfind(b"\xff\xd9")
    return bytes(out + (data[at : end + 2] if end > at else data[at:]))


def strip_jpeg2000(data: bytes) -> bytes:
    """Take the boxes away that hold XML or private data; a bare code stream has none."""
    if data[4:8] != b"jP  ":
        return data
    out, at = bytearray(), 0
    while at + 8 <= len(data):
        length = int.from_bytes(data[at : at + 4])
        length = length if length >= 8 else len(data) - at  # 0: to the end; 1: a long box, which only ends a file here
        if data[at + 4 : at + 8] not in (b"xml ", b"uuid", b"uinf"):
            out += data[at : at + length]
        at += length
    return bytes(out)


ICC_TEXTS = (b"cprt", b"desc", b"dmnd", b"dmdd", b"vued", b"targ", b"meta")


def strip_icc(data: bytes) -> bytes:
    """Blank the texts of a color profile: makers, owners, descriptions; anything else comes back as it is."""
    if data[36:40] != b"acsp" or len(data) < 132:
        return data
    out = bytearray(data)
    out[80:100] = bytes(20)  # creator and identifier
    for k in range(min(int.from_bytes(data[128:132]), 100)):
        entry = data[132 + 12 * k : 144 + 12 * k]
        start, size = int.from_bytes(entry[4:8]), int.from_bytes(entry[8:12])
        if entry[:4] in ICC_TEXTS and start > 132 and start + size <= len(data) and size > 8:
            out[start + 8 : start + size] = bytes(size - 8)
    return bytes(out)
