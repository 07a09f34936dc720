//! The list of the documents of an index, as a file next to it: one row of JSON a line, below a
//! line with the hash of all rows. Rows are written and read one by one, so that the text of the
//! list is never in memory as a whole. The documents themselves are never read here.

use std::fs::File;
use std::io::{self, BufRead as _, BufReader, BufWriter, Read as _, Seek as _, SeekFrom, Write};
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::document::Document;
use super::shelf::{KeptIndex, UnreadFile};

/// The name of the file.
pub(super) const FILE: &str = "documents.jsonl";
/// Maximum number of bytes of the file.
const BYTES_MAX: u64 = 1 << 30;
/// Number of letters of the hash.
const HASH_LETTERS: usize = 64;

/// A row. A row that is read owns its content, one that is written borrows it.
#[derive(Serialize, Deserialize)]
enum ListRow<D, U, Y> {
    #[serde(rename = "i")]
    Index(Numbers),
    #[serde(rename = "d")]
    Document(D),
    #[serde(rename = "u")]
    Unread(U),
    #[serde(rename = "y")]
    Young(Y),
}

/// The numbers of the index itself.
#[derive(Serialize, Deserialize)]
struct Numbers {
    next_number: u32,
    updates: u32,
    meta_hash: String,
}

/// Writes the list of an index into its folder.
pub(super) fn write(folder: &Path, kept: &KeptIndex) -> io::Result<()> {
    let mut out = BufWriter::new(File::create(folder.join(FILE))?);
    // The hash is known only at the end, and then replaces these spaces.
    out.write_all(&[b' '; HASH_LETTERS])?;
    out.write_all(b"\n")?;
    let mut hasher = blake3::Hasher::new();
    let mut line = Vec::new();
    for row in rows(kept) {
        line.clear();
        serde_json::to_writer(&mut line, &row)?;
        line.push(b'\n');
        hasher.update(&line);
        out.write_all(&line)?;
    }
    let mut file = out.into_inner()?;
    file.seek(SeekFrom::Start(0))?;
    file.write_all(hasher.finalize().to_hex().as_bytes())
}

fn rows(
    kept: &KeptIndex,
) -> impl Iterator<Item = ListRow<&Document, &UnreadFile, &(String, String)>> {
    let numbers = ListRow::Index(Numbers {
        next_number: kept.next_number,
        updates: kept.updates,
        meta_hash: kept.meta_hash.clone(),
    });
    std::iter::once(numbers)
        .chain(kept.documents.iter().map(ListRow::Document))
        .chain(kept.unread.iter().map(ListRow::Unread))
        .chain(kept.young.iter().map(ListRow::Young))
}

/// Reads the list of an index from its folder, or says what is wrong with it.
pub(super) fn read(folder: &Path) -> Result<KeptIndex, String> {
    let cannot = |error: io::Error| format!("`{FILE}` cannot be read: {}", error.kind());
    let file = File::open(folder.join(FILE)).map_err(cannot)?;
    if file.metadata().map_err(cannot)?.len() > BYTES_MAX {
        return Err(format!("`{FILE}` is larger than {BYTES_MAX} bytes"));
    }
    let mut lines = BufReader::new(file.take(BYTES_MAX));
    let mut line = Vec::new();
    lines.read_until(b'\n', &mut line).map_err(cannot)?;
    let sealed = line.strip_suffix(b"\n").map(<[u8]>::to_vec);
    let sealed = sealed.ok_or_else(|| format!("`{FILE}` is torn"))?;
    let (mut kept, mut hasher) = (KeptIndex::default(), blake3::Hasher::new());
    let mut is_of_the_form = true;
    loop {
        line.clear();
        if lines.read_until(b'\n', &mut line).map_err(cannot)? == 0 {
            break;
        }
        hasher.update(&line);
        // All rows are read before an error: damage is reported as damage, and not as another form.
        is_of_the_form &= serde_json::from_slice(&line).is_ok_and(|row| take(&mut kept, row));
    }
    if hasher.finalize().to_hex().as_bytes() != sealed {
        return Err(format!("`{FILE}` is not what was written"));
    }
    if is_of_the_form {
        Ok(kept)
    } else {
        Err(format!("`{FILE}` is of another form"))
    }
}

/// Adds a row to the list. Returns false for a second row about the index.
fn take(kept: &mut KeptIndex, row: ListRow<Document, UnreadFile, (String, String)>) -> bool {
    match row {
        ListRow::Index(numbers) => {
            let is_first = kept.meta_hash.is_empty();
            kept.next_number = numbers.next_number;
            kept.updates = numbers.updates;
            kept.meta_hash = numbers.meta_hash;
            return is_first;
        }
        ListRow::Document(document) => kept.documents.push(document),
        ListRow::Unread(unread) => kept.unread.push(unread),
        ListRow::Young(young) => kept.young.push(young),
    }
    true
}
