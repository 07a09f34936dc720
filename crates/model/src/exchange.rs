//! Recorded exchanges: a request as rendered and the response to it, in a file
//! that is named by the hash of the request. They answer a replay, fill a cache,
//! and hold no key: a rendered request has none, and a response that quotes it is struck.

use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::error::ModelError;
use crate::key::ApiKey;
use crate::wire::{HttpRequest, HttpResponse};

/// The word that tells this form of file.
const FORMAT: &str = "grounds.exchange/1";
/// Bytes of a file.
const FILE_BYTES_MAX: u64 = 32 << 20;

/// Where exchanges are looked up and kept.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Shelves {
    /// Only what is here is answered, and nothing is sent.
    pub replay: Option<PathBuf>,
    /// Everything that is sent is kept here.
    pub record: Option<PathBuf>,
    /// Good answers are kept here and used again.
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

/// The name of a request's file: a hash of all that is sent but the key.
pub fn name(request: &HttpRequest) -> String {
    let mut hasher = blake3::Hasher::new();
    let mut part = |bytes: &[u8]| {
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

/// The recorded response to a request; `None` if the folder has none.
///
/// # Errors
/// [`ModelError::Exchange`] when the file is there and cannot be used.
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

/// Keeps an exchange, whole or not at all.
///
/// # Errors
/// [`ModelError::Exchange`] when it cannot be written.
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
