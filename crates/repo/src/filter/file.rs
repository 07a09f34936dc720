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
    let blob: Vec<u8> = rows
        .iter()
        .flat_map(|row| row.facts.signature.bytes())
        .copied()
        .collect();
    let count = |number: usize| u32::try_from(number).map_err(io::Error::other);
    let blocks = blob.chunks(BLOCK_BYTES);
    let mut head = MAGIC.to_vec();
    head.extend([0; 8]);
    head.extend(count(rows.len())?.to_le_bytes());
    head.extend(count(blocks.len())?.to_le_bytes());
    blocks.for_each(|block| head.extend(blake3::hash(block).as_bytes()));
    for row in rows {
        let Row { key, stamp, facts } = row;
        head.extend(
            u16::try_from(key.len())
                .map_err(io::Error::other)?
                .to_le_bytes(),
        );
        head.extend(key);
        head.extend(stamp);
        head.extend(facts.bytes.to_le_bytes());
        head.push(u8::from(facts.is_plain));
        head.extend(count(facts.signature.bytes().len())?.to_le_bytes());
    }
    let length = (head.len() + SUM_BYTES) as u64;
    head[MAGIC.len()..MAGIC.len() + 8].copy_from_slice(&length.to_le_bytes());
    let sum = blake3::hash(&head);
    let mut file = File::create(path)?;
    file.write_all(&head)?;
    file.write_all(sum.as_bytes())?;
    file.write_all(&blob)
}

/// Reads a filter of at most so many bytes; `None` if it is not what was written.
pub(super) fn read(path: &Path, bytes_max: u64, threads: usize) -> Option<Kept> {
    let whole = path
        .symlink_metadata()
        .ok()
        .filter(std::fs::Metadata::is_file)?
        .len();
    let mut file = File::open(path).ok().filter(|_| whole <= bytes_max)?;
    let mut head = vec![0; START_BYTES];
    file.read_exact(&mut head).ok()?;
    let length = u64::from_le_bytes(head[MAGIC.len()..][..8].try_into().ok()?);
    let is_form =
        head.starts_with(MAGIC) && length <= whole && length >= (START_BYTES + SUM_BYTES) as u64;
    head.resize(usize::try_from(length).ok().filter(|_| is_form)?, 0);
    file.read_exact(&mut head[START_BYTES..]).ok()?;
    let (head, sum) = head.split_at(head.len() - SUM_BYTES);
    let name = blake3::hash(head);
    if name.as_bytes().as_slice() != sum {
        return None;
    }
    let mut rest = Rest(&head[MAGIC.len() + 8..]);
    let (rows, blocks) = (rest.number()?, rest.number()?);
    let sums = rest.take(blocks.checked_mul(SUM_BYTES)?)?;
    let blob = blob(
        path,
        length,
        usize::try_from(whole - length).ok()?,
        sums,
        threads,
    )?;
    Some(Kept {
        rows: rest.rows(rows, &Arc::new(blob))?,
        name: name.to_hex()[..NAME_DIGITS].to_owned(),
    })
}

/// The signatures, read and compared by several threads.
fn blob(path: &Path, start: u64, bytes: usize, sums: &[u8], threads: usize) -> Option<Vec<u8>> {
    let mut blob = vec![0; bytes];
    if bytes.div_ceil(BLOCK_BYTES) * SUM_BYTES != sums.len() {
        return None;
    }
    let each = sums.len().div_ceil(SUM_BYTES * threads.max(1)).max(1);
    let part = |number: usize, bytes: &mut [u8], sums: &[u8]| {
        let mut file = File::open(path).ok()?;
        let place = start + (number * each * BLOCK_BYTES) as u64;
        file.seek(SeekFrom::Start(place)).ok()?;
        let mut blocks = bytes.chunks_mut(BLOCK_BYTES).zip(sums.chunks(SUM_BYTES));
        let is_read = |(block, sum): (&mut [u8], &[u8])| {
            file.read_exact(block).is_ok() && blake3::hash(block).as_bytes().as_slice() == sum
        };
        blocks.all(is_read).then_some(())
    };
    std::thread::scope(|scope| {
        let parts = blob
            .chunks_mut(each * BLOCK_BYTES)
            .zip(sums.chunks(each * SUM_BYTES));
        let parts: Vec<_> = parts
            .enumerate()
            .map(|(number, (bytes, sums))| scope.spawn(move || part(number, bytes, sums)))
            .collect();
        parts
            .into_iter()
            .all(|part| matches!(part.join(), Ok(Some(()))))
            .then_some(())
    })?;
    Some(blob)
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
