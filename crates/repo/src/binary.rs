//! Files whose bytes look binary and that may be text all the same: a stray NUL byte in prose,
//! UTF-16 or UTF-32 without a byte order mark.
//!
//! Without its NUL bytes, such a text has its letters in order, whatever their width and byte
//! order. If that text contains a target, the file matches. It is reported as a file, since the
//! place cannot be cited.

use std::path::Path;

use crate::files;
use crate::needles::{Needles, OccurrenceForm};
use crate::scope::SkipReason;
use crate::text;

/// Bytes of a file that counts as binary in which the targets are searched.
const BINARY_BYTES_MAX: u64 = 64 << 20;

/// Endings of files that programs make for programs: pictures, sounds, archives, fonts, objects,
/// tables.
const BINARY_ENDINGS: &[&str] = &[
    "png",
    "jpg",
    "jpeg",
    "gif",
    "bmp",
    "ico",
    "webp",
    "tif",
    "tiff",
    "psd",
    "avif",
    "heic",
    "icns",
    "mp3",
    "mp4",
    "wav",
    "ogg",
    "flac",
    "avi",
    "mov",
    "webm",
    "mkv",
    "m4a",
    "zip",
    "gz",
    "tgz",
    "bz2",
    "xz",
    "zst",
    "7z",
    "rar",
    "tar",
    "jar",
    "war",
    "whl",
    "egg",
    "gem",
    "deb",
    "rpm",
    "dmg",
    "iso",
    "lz4",
    "br",
    "ttf",
    "otf",
    "woff",
    "woff2",
    "eot",
    "o",
    "a",
    "so",
    "dylib",
    "dll",
    "exe",
    "lib",
    "obj",
    "class",
    "pyc",
    "pyo",
    "pyd",
    "wasm",
    "rlib",
    "rmeta",
    "pdb",
    "bin",
    "dat",
    "db",
    "sqlite",
    "sqlite3",
    "mdb",
    "parquet",
    "npy",
    "npz",
    "pkl",
    "pickle",
    "pt",
    "onnx",
    "safetensors",
    "gguf",
    "h5",
    "pdf",
    "doc",
    "xls",
    "ppt",
    "docx",
    "xlsx",
    "pptx",
    "odt",
    "ods",
    "p12",
    "jks",
    "keystore",
    "der",
    "mo",
    "swp",
    "idx",
    "pack",
    "img",
    "node",
    "nib",
    "car",
    "res",
];

/// Returns why a file without text was skipped. The skip matters if its name says that it is code,
/// or if it contains a target.
pub(crate) fn reason(path: &Path, needles: &Needles) -> SkipReason {
    let by_name = files::binary_reason(path);
    let ending = path.extension().map(|ending| ending.to_ascii_lowercase());
    let is_made = ending.is_some_and(|ending| BINARY_ENDINGS.iter().any(|known| ending == *known));
    if by_name != SkipReason::Binary || is_made {
        return by_name;
    }
    let Ok(mut bytes) = text::read_whole(path, BINARY_BYTES_MAX) else {
        return by_name;
    };
    if holds(&bytes, needles) {
        return SkipReason::BinaryMatch;
    }
    // UTF-16 and UTF-32 have NUL bytes beside the letters of ASCII.
    bytes.retain(|byte| *byte != 0);
    if holds(&bytes, needles) {
        SkipReason::BinaryMatch
    } else {
        by_name
    }
}

/// Reports whether a text contains some target as a whole word.
fn holds(text: &[u8], needles: &Needles) -> bool {
    let mut next = needles.find(text, 0);
    while let Some(occurrence) = next {
        let form = needles.classify(text, occurrence);
        if matches!(
            form,
            OccurrenceForm::Asked | OccurrenceForm::Convention | OccurrenceForm::Phrase
        ) {
            return true;
        }
        next = needles.find(text, occurrence.start + 1);
    }
    false
}
