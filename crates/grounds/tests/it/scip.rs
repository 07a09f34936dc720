//! Indexes written by hand: as much of the format as the tests need.

/// A definition.
pub(crate) const DEFINES: u64 = 1;
/// A use.
pub(crate) const USES: u64 = 0;

/// One document of an index.
pub(crate) struct Document<'a> {
    pub(crate) path: &'a str,
    /// 1 for bytes, 2 for UTF-16, 3 for code points.
    pub(crate) encoding: u64,
    /// Symbol, line and characters from 0, roles.
    pub(crate) occurrences: &'a [(&'a str, [u64; 3], u64)],
    /// A symbol and the one that it implements.
    pub(crate) implements: &'a [(&'a str, &'a str)],
}

/// The index of some documents.
pub(crate) fn index(documents: &[Document<'_>]) -> Vec<u8> {
    let tool = [field(1, b"by-hand"), field(2, b"1.0")].concat();
    let mut bytes = field(1, &field(2, &tool));
    for document in documents {
        bytes.extend(field(2, &message(document)));
    }
    bytes
}

/// A symbol of the package under test.
pub(crate) fn symbol(descriptors: &str) -> String {
    format!("test . . . {descriptors}")
}

fn message(document: &Document<'_>) -> Vec<u8> {
    let mut bytes = [
        field(1, document.path.as_bytes()),
        number(6, document.encoding),
    ]
    .concat();
    for (symbol, range, roles) in document.occurrences {
        let range: Vec<u8> = range.iter().flat_map(|place| varint(*place)).collect();
        bytes.extend(field(
            2,
            &[
                field(1, &range),
                field(2, symbol.as_bytes()),
                number(3, *roles),
            ]
            .concat(),
        ));
    }
    for (symbol, of) in document.implements {
        let relationship = [field(1, of.as_bytes()), number(3, 1)].concat();
        bytes.extend(field(
            3,
            &[field(1, symbol.as_bytes()), field(4, &relationship)].concat(),
        ));
    }
    bytes
}

/// A field that holds bytes.
pub(crate) fn field(place: u64, bytes: &[u8]) -> Vec<u8> {
    [
        varint(place << 3 | 2),
        varint(bytes.len() as u64),
        bytes.to_vec(),
    ]
    .concat()
}

fn number(place: u64, number: u64) -> Vec<u8> {
    [varint(place << 3), varint(number)].concat()
}

/// A number of variable length.
pub(crate) fn varint(mut number: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    while number > 0x7f {
        bytes.push(number.to_le_bytes()[0] | 0x80);
        number >>= 7;
    }
    bytes.push(number.to_le_bytes()[0]);
    bytes
}
