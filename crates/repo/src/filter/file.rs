//! The file of a filter: a head with a row for each file of a tree, and the signatures.
//!
//! The head has the checksum of each block of signatures and ends with one of itself, by which the
//! filter is named. Given rows, writes them whole or not at all; nothing that is not what was
//! written is read.

use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::Path;
use std::sync::Arc;

use super::Facts;
use super::signature::Signature;
use super::stamp::STAMP_BYTES;

/// The first bytes of a file, with the version of its form and of the signatures.
const MAGIC: &[u8; 16] = b"grounds filter 1";
/// Bytes of signatures under one checksum.
const BLOCK_BYTES: usize = 1 << 20;
const SUM_BYTES: usize = blake3::OUT_LEN;
/// Bytes before the checksums of the head: the magic, its own length, its rows and its blocks.
const START_BYTES: usize = MAGIC.len() + 8 + 4 + 4;
/// Digits of the checksum that name a filter.
const NAME_DIGITS: usize = 16;

/// What is kept of one file.
#[derive(Clone, Debug)]
pub(super) struct Row {
    /// Its path below the checkout.
    pub(super) key: Vec<u8>,
    /// Its stamp, as bytes.
    pub(super) stamp: [u8; STAMP_BYTES],
    /// What is known of it.
    pub(super) facts: Facts,
}

/// A filter that was read.
#[derive(Debug)]
pub(super) struct Kept {
    pub(super) rows: Vec<Row>,
    /// The name of it: a checksum of all.
    pub(super) name: String,
}

/// Writes a filter to a new file.
pub(super) fn write(path: &Path, rows: &[Row]) -> io::Result<()> {
    let signatures = rows.iter().flat_map(|row| row.facts.signature.bytes());
    let blob: Vec<u8> = signatures.copied().collect();
    let blocks = blob.chunks(BLOCK_BYTES);
    let mut head = MAGIC.to_vec();
    head.extend([0; 8]);
    head.extend(count(rows.len())?);
    head.extend(count(blocks.len())?);
    blocks.for_each(|block| head.extend(blake3::hash(block).as_bytes()));
    for row in rows {
        write_row(row, &mut head)?;
    }
    let length = (head.len() + SUM_BYTES) as u64;
    head[MAGIC.len()..MAGIC.len() + 8].copy_from_slice(&length.to_le_bytes());
    let sum = blake3::hash(&head);
    let mut file = File::create(path)?;
    file.write_all(&head)?;
    file.write_all(sum.as_bytes())?;
    file.write_all(&blob)
}

fn write_row(row: &Row, head: &mut Vec<u8>) -> io::Result<()> {
    let Row { key, stamp, facts } = row;
    let length = u16::try_from(key.len()).map_err(io::Error::other)?;
    head.extend(length.to_le_bytes());
    head.extend(key);
    head.extend(stamp);
    head.extend(facts.bytes.to_le_bytes());
    head.push(u8::from(facts.is_plain));
    head.extend(count(facts.signature.bytes().len())?);
    Ok(())
}

/// A number as it is written.
fn count(number: usize) -> io::Result<[u8; 4]> {
    u32::try_from(number)
        .map(u32::to_le_bytes)
        .map_err(io::Error::other)
}

/// Reads a filter of at most so many bytes; `None` if it is not what was written.
pub(super) fn read(path: &Path, bytes_max: u64, threads: usize) -> Option<Kept> {
    let kind = path.symlink_metadata().ok()?;
    let whole = kind.len();
    if !kind.is_file() || whole > bytes_max {
        return None;
    }
    let (head, name) = head(path, whole)?;
    let length = (head.len() + SUM_BYTES) as u64;
    let mut rest = Rest(&head[MAGIC.len() + 8..]);
    let (rows, blocks) = (rest.number()?, rest.number()?);
    let sums = rest.take(blocks.checked_mul(SUM_BYTES)?)?;
    let bytes = usize::try_from(whole - length).ok()?;
    let blob = blob(path, length, bytes, sums, threads)?;
    Some(Kept {
        rows: rest.rows(rows, &Arc::new(blob))?,
        name,
    })
}

/// The head of a file of so many bytes, without its checksum, and the name of the filter.
fn head(path: &Path, whole: u64) -> Option<(Vec<u8>, String)> {
    let mut file = File::open(path).ok()?;
    let mut head = vec![0; START_BYTES];
    file.read_exact(&mut head).ok()?;
    let length = u64::from_le_bytes(head[MAGIC.len()..][..8].try_into().ok()?);
    let least = (START_BYTES + SUM_BYTES) as u64;
    if !head.starts_with(MAGIC) || !(least..=whole).contains(&length) {
        return None;
    }
    head.resize(usize::try_from(length).ok()?, 0);
    file.read_exact(&mut head[START_BYTES..]).ok()?;
    let sum = head.split_off(head.len() - SUM_BYTES);
    let name = blake3::hash(&head);
    let is_whole = name.as_bytes().as_slice() == sum;
    is_whole.then(|| (head, name.to_hex()[..NAME_DIGITS].to_owned()))
}

/// The signatures, read and compared by several threads.
fn blob(path: &Path, start: u64, bytes: usize, sums: &[u8], threads: usize) -> Option<Vec<u8>> {
    if bytes.div_ceil(BLOCK_BYTES) * SUM_BYTES != sums.len() {
        return None;
    }
    let mut blob = vec![0; bytes];
    let each = sums.len().div_ceil(SUM_BYTES * threads.max(1)).max(1);
    let mut place = start;
    let is_read = std::thread::scope(|scope| {
        let parts = blob.chunks_mut(each * BLOCK_BYTES);
        let parts: Vec<_> = parts
            .zip(sums.chunks(each * SUM_BYTES))
            .map(|(part, sums)| {
                let from = place;
                place += part.len() as u64;
                scope.spawn(move || is_read(path, from, part, sums))
            })
            .collect();
        let mut parts = parts.into_iter();
        parts.all(|part| part.join().unwrap_or(false))
    });
    is_read.then_some(blob)
}

/// Reads some blocks from a place on, and says whether each has its checksum.
fn is_read(path: &Path, from: u64, bytes: &mut [u8], sums: &[u8]) -> bool {
    let Ok(mut file) = File::open(path) else {
        return false;
    };
    let mut blocks = bytes.chunks_mut(BLOCK_BYTES).zip(sums.chunks(SUM_BYTES));
    file.seek(SeekFrom::Start(from)).is_ok()
        && blocks.all(|(block, sum)| {
            file.read_exact(block).is_ok() && blake3::hash(block).as_bytes().as_slice() == sum
        })
}

/// What is left of a head.
struct Rest<'h>(&'h [u8]);

impl<'h> Rest<'h> {
    fn take(&mut self, bytes: usize) -> Option<&'h [u8]> {
        let (taken, rest) = self.0.split_at_checked(bytes)?;
        self.0 = rest;
        Some(taken)
    }

    fn number(&mut self) -> Option<usize> {
        let bytes = self.take(4)?.try_into().ok()?;
        usize::try_from(u32::from_le_bytes(bytes)).ok()
    }

    fn rows(&mut self, count: usize, blob: &Arc<Vec<u8>>) -> Option<Vec<Row>> {
        let (mut rows, mut at) = (Vec::new(), 0_usize);
        for _ in 0..count {
            let length = u16::from_le_bytes(self.take(2)?.try_into().ok()?);
            let key = self.take(length.into())?.to_vec();
            let stamp = self.take(STAMP_BYTES)?.try_into().ok()?;
            let bytes = u64::from_le_bytes(self.take(8)?.try_into().ok()?);
            let is_plain = self.take(1)? == [1];
            let length = self.number()?;
            let range = at..at.checked_add(length)?;
            at = range.end;
            let is_whole = at <= blob.len() && Signature::is_length(length);
            let signature = is_whole.then(|| Signature {
                of: Arc::clone(blob),
                range,
            });
            let facts = Facts {
                bytes,
                is_plain,
                is_kept: true,
                signature: signature?,
            };
            rows.push(Row { key, stamp, facts });
        }
        Some(rows)
    }
}
