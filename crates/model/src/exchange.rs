//! Recorded exchanges: a rendered request and its response, in a file that is named by the hash of
//! the request. They serve replays and the cache, and never contain a key: a rendered request has
//! no key, and a response that quotes it is masked.

use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::error::ModelError;
use crate::key::ApiKey;
use crate::wire::{HttpRequest, HttpResponse};

/// The name of the file format.
const FORMAT: &str = "grounds.exchange/1";
/// Maximum number of bytes of a file.
const FILE_BYTES_MAX: u64 = 32 << 20;

/// The folders in which exchanges are looked up and kept.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Shelves {
    /// Only requests in this folder are answered, and nothing is sent; `None` without a replay.
    pub replay: Option<PathBuf>,
    /// Everything that is sent is recorded here; `None` without a recording.
    pub record: Option<PathBuf>,
    /// Good answers are kept here and used again; `None` without a cache.
    pub cache: Option<PathBuf>,
}

#[derive(Serialize, Deserialize)]
struct ExchangeFile {
    format: String,
    request: ExchangeRequest,
    response: ExchangeAnswer,
}

#[derive(Serialize, Deserialize, PartialEq)]
struct ExchangeRequest {
    url: String,
    headers: Vec<(String, String)>,
    body: Value,
}

#[derive(Serialize, Deserialize)]
struct ExchangeAnswer {
    status: u16,
    headers: Vec<(String, String)>,
    body: String,
}

/// Returns the name of a request's file: a hash of all that is sent except the key.
pub fn name(request: &HttpRequest) -> String {
    let mut hasher = blake3::Hasher::new();
    let mut part = |bytes: &[u8]| {
        // The length keeps parts apart: "ab" and "c" must not hash like "a" and "bc".
        hasher.update(&(bytes.len() as u64).to_le_bytes());
        hasher.update(bytes);
    };
    part(request.url.as_bytes());
    for (name, value) in &request.headers {
        part(name.as_bytes());
        part(value.as_bytes());
    }
    part(&request.body);
    hasher.finalize().to_hex()[..40].to_owned()
}

/// Returns the recorded response to a request; `None` if the folder has no such file.
///
/// # Errors
/// [`ModelError::Exchange`] if the file exists and cannot be used.
pub fn find(folder: &Path, request: &HttpRequest) -> Result<Option<HttpResponse>, ModelError> {
    let path = folder.join(format!("{}.json", name(request)));
    let wrong = |why: String| ModelError::Exchange {
        path: path.display().to_string(),
        why,
    };
    let file = match std::fs::File::open(&path) {
        Ok(file) => file,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(wrong(error.kind().to_string())),
    };
    let mut bytes = Vec::new();
    file.take(FILE_BYTES_MAX + 1)
        .read_to_end(&mut bytes)
        .map_err(|error| wrong(error.kind().to_string()))?;
    if bytes.len() as u64 > FILE_BYTES_MAX {
        return Err(wrong(format!("it has more than {FILE_BYTES_MAX} bytes")));
    }
    let kept: ExchangeFile = serde_json::from_slice(&bytes)
        .map_err(|_| wrong("it is not a recorded exchange".to_owned()))?;
    if kept.format != FORMAT {
        return Err(wrong("it is of another version".to_owned()));
    }
    // A file that was copied or edited must not answer another request.
    if kept.request != asked(request) {
        return Err(wrong(
            "its request is not the one that it is named by".to_owned(),
        ));
    }
    Ok(Some(HttpResponse {
        status: kept.response.status,
        headers: kept.response.headers,
        body: kept.response.body.into_bytes(),
    }))
}

/// Writes an exchange, whole or not at all.
///
/// # Errors
/// [`ModelError::Exchange`] if it cannot be written.
pub fn keep(
    folder: &Path,
    request: &HttpRequest,
    response: &HttpResponse,
    key: Option<&ApiKey>,
) -> Result<(), ModelError> {
    let path = folder.join(format!("{}.json", name(request)));
    let wrong = |error: std::io::Error| ModelError::Exchange {
        path: path.display().to_string(),
        why: error.kind().to_string(),
    };
    // A provider may quote the key, for example in the message of an error.
    let strike = |text: &str| key.map_or_else(|| text.to_owned(), |key| key.strike_from(text));
    let headers = response
        .headers
        .iter()
        .map(|(name, value)| (name.clone(), strike(value)))
        .collect();
    let response = ExchangeAnswer {
        status: response.status,
        headers,
        body: strike(&String::from_utf8_lossy(&response.body)),
    };
    let file = ExchangeFile {
        format: FORMAT.to_owned(),
        request: asked(request),
        response,
    };
    let text = serde_json::to_string_pretty(&file).map_err(|error| wrong(error.into()))?;
    std::fs::create_dir_all(folder).map_err(wrong)?;
    let mut written = tempfile::NamedTempFile::new_in(folder).map_err(wrong)?;
    written
        .write_all(text.as_bytes())
        .and_then(|()| written.write_all(b"\n"))
        .map_err(wrong)?;
    written.persist(&path).map_err(|error| wrong(error.error))?;
    Ok(())
}

fn asked(request: &HttpRequest) -> ExchangeRequest {
    ExchangeRequest {
        url: request.url.clone(),
        headers: request
            .headers
            .iter()
            .map(|(name, value)| ((*name).to_owned(), value.clone()))
            .collect(),
        body: serde_json::from_slice(&request.body).unwrap_or_default(),
    }
}
