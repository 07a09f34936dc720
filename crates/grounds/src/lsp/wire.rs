//! The transport: messages with a header, on standard input and output. The reader of `lsp-server`
//! allocates as much memory as a header asks for, so this one has a bound.

use std::io::{self, BufRead, Read as _, Write};

use lsp_server::{ErrorCode, Message};
use serde_json::{Value, json};

use crate::safe;

/// Bytes of one line of a header.
const HEADER_LINE_BYTES_MAX: u64 = 4 << 10;
/// Lines of one header.
const HEADER_LINES_MAX: usize = 16;

/// The input from the editor.
#[derive(Debug)]
pub(super) enum Received {
    /// A message.
    Message(Message),
    /// A message that cannot be used. The next one can be read.
    Refused(Refusal),
    /// Nothing after this can be read.
    Broken(String),
    /// The editor has closed its side.
    End,
}

/// The reason why a message cannot be used.
#[derive(Debug)]
pub(super) struct Refusal {
    /// The name of the request, or null if it is not known.
    pub(super) id: Value,
    pub(super) code: ErrorCode,
    pub(super) why: String,
    /// Whether the message was not read, so that it may have changed a document.
    pub(super) is_lost: bool,
}

/// Reads the next message of at most `bytes_max` bytes.
pub(super) fn receive(reader: &mut impl BufRead, bytes_max: usize) -> Received {
    match length(reader) {
        Ok(Some(bytes)) if bytes > bytes_max as u64 => skip(reader, bytes, bytes_max),
        Ok(Some(bytes)) => body(reader, bytes),
        Ok(None) => Received::End,
        Err(why) => Received::Broken(why),
    }
}

/// Returns the length that a header gives; `None` at the end of the input.
fn length(reader: &mut impl BufRead) -> Result<Option<u64>, String> {
    let mut length = None;
    for number in 0..HEADER_LINES_MAX {
        let mut line = Vec::new();
        let read = reader
            .by_ref()
            .take(HEADER_LINE_BYTES_MAX)
            .read_until(b'\n', &mut line);
        match read {
            Err(error) => return Err(format!("cannot read standard input: {error}")),
            // The editor may close its side between two messages, not within one.
            Ok(0) if number == 0 => return Ok(None),
            // Without the end of a header nobody knows where the next message begins.
            Ok(_) if line.last() != Some(&b'\n') => {
                return Err("the header of a message is too long or ends early".to_owned());
            }
            Ok(_) => {}
        }
        let line = String::from_utf8_lossy(&line);
        let line = line.trim();
        if line.is_empty() {
            let missing = || "the header of a message has no `Content-Length`".to_owned();
            return length.ok_or_else(missing).map(Some);
        }
        let wrong = || format!("this is not a message header: {}", safe::for_line(line));
        let (name, value) = line.split_once(':').ok_or_else(wrong)?;
        if name.eq_ignore_ascii_case("Content-Length") {
            length = Some(value.trim().parse().map_err(|_| wrong())?);
        }
    }
    Err(format!(
        "the header of a message has more than {HEADER_LINES_MAX} lines"
    ))
}

fn skip(reader: &mut impl BufRead, bytes: u64, bytes_max: usize) -> Received {
    match io::copy(&mut reader.take(bytes), &mut io::sink()) {
        Ok(skipped) if skipped == bytes => Received::Refused(Refusal {
            id: Value::Null,
            code: ErrorCode::InvalidRequest,
            why: format!(
                "a message of {bytes} bytes was skipped, {bytes_max} are allowed (`lsp.message_bytes_max`)"
            ),
            is_lost: true,
        }),
        Ok(_) => Received::Broken("the input ended within a message".to_owned()),
        Err(error) => Received::Broken(format!("cannot read standard input: {error}")),
    }
}

fn body(reader: &mut impl BufRead, bytes: u64) -> Received {
    // The text grows as bytes arrive, so that a header without its bytes costs no memory.
    let mut text = Vec::new();
    match reader.take(bytes).read_to_end(&mut text) {
        Ok(_) if (text.len() as u64) < bytes => {
            Received::Broken("the input ended within a message".to_owned())
        }
        Ok(_) => message(&text),
        Err(error) => Received::Broken(format!("cannot read standard input: {error}")),
    }
}

fn message(text: &[u8]) -> Received {
    let refused = |id: Value, code: ErrorCode, why: String| {
        Received::Refused(Refusal {
            id,
            code,
            why,
            is_lost: false,
        })
    };
    let value: Value = match serde_json::from_slice(text) {
        Ok(value) => value,
        Err(error) => {
            let why = format!("the message is not JSON: {error}");
            return refused(Value::Null, ErrorCode::ParseError, why);
        }
    };
    let id = value.get("id").cloned();
    let is_name =
        |id: &Value| id.is_string() || id.as_i64().is_some_and(|id| i32::try_from(id).is_ok());
    // Read as a message, it would be a notification, and the sender of the request would wait
    // forever.
    if id.as_ref().is_some_and(|id| !is_name(id)) {
        let why = "`id` is neither a string nor an integer of 32 bits".to_owned();
        return refused(Value::Null, ErrorCode::InvalidRequest, why);
    }
    serde_json::from_value(value).map_or_else(
        |_| {
            let why = "the message is neither a request, a response nor a notification".to_owned();
            refused(id.unwrap_or_default(), ErrorCode::InvalidRequest, why)
        },
        Received::Message,
    )
}

/// Writes a message.
pub(super) fn send(out: &mut impl Write, message: &Message) -> io::Result<()> {
    let mut value = serde_json::to_value(message)?;
    // A `Message` has no field for the version, which the protocol requires.
    value["jsonrpc"] = "2.0".into();
    write(out, &value)
}

/// Answers a message that cannot be used.
pub(super) fn refuse(out: &mut impl Write, refusal: &Refusal) -> io::Result<()> {
    let error = json!({"code": refusal.code as i32, "message": refusal.why});
    write(
        out,
        &json!({"jsonrpc": "2.0", "id": refusal.id, "error": error}),
    )
}

fn write(out: &mut impl Write, value: &Value) -> io::Result<()> {
    let text = value.to_string();
    let text = safe::for_json(&text);
    write!(out, "Content-Length: {}\r\n\r\n{text}", text.len())?;
    out.flush()
}
