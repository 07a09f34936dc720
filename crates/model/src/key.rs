//! The key of a provider: from the environment, from a command, or from the system's keyring
//! through the system's own program. It is sent in one header and goes nowhere else. It never comes
//! from a repository.

use std::io::{BufRead as _, BufReader, Read};
use std::process::{Command, Stdio};
use std::sync::mpsc::{self, Sender};
use std::time::{Duration, Instant};

use secrecy::{ExposeSecret as _, SecretString};

/// Maximum number of bytes of a key.
const KEY_BYTES_MAX: usize = 8 << 10;
/// Timeout of a command for the key, in milliseconds; it may have to ask its user.
const COMMAND_MS_MAX: u64 = 60_000;
/// Replaces a key in a text that contained it.
const STRUCK: &str = "[key]";

/// A key that no message, log or debug output shows.
#[derive(Clone, Debug)]
pub struct ApiKey(SecretString);

/// The source of a key.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum KeySource {
    /// No key, as for most servers on this machine.
    #[default]
    None,
    /// The first of these variables that is set.
    Environment(Vec<String>),
    /// The first line that a command prints.
    Command(String),
    /// The system's keyring, service `grounds`, under this account.
    Keyring(String),
}

/// Why there is no key.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum KeyError {
    /// No variable is set.
    #[error("none of {} is set", .0.join(", "))]
    NotSet(Vec<String>),
    /// The value cannot be a key.
    #[error("the value of {0} is not a key: it is empty, too long, or contains blanks")]
    NotAKey(&'static str),
    /// The command failed.
    #[error("{0} {1}")]
    Command(&'static str, String),
}

impl KeyError {
    /// Returns what to do next.
    pub const fn advice(&self) -> &'static str {
        match self {
            Self::NotSet(_) => {
                "set one of them, or `model.key_command` in your own configuration; a local model needs none: `grounds doctor model`"
            }
            Self::NotAKey(_) => "check the variable, or what the command prints first",
            Self::Command(..) => "run the command by hand and see what it says",
        }
    }
}

impl ApiKey {
    /// Creates a key; `None` if the text cannot be one.
    pub fn new(text: &str) -> Option<Self> {
        let text = text.trim();
        let is_key = !text.is_empty()
            && text.len() <= KEY_BYTES_MAX
            && text.bytes().all(|byte| byte.is_ascii_graphic());
        is_key.then(|| Self(text.to_owned().into()))
    }

    /// Returns its text, for the header.
    pub(crate) fn reveal(&self) -> &str {
        self.0.expose_secret()
    }

    /// Returns a name that two requests with the same key share. The key cannot be derived from it.
    pub(crate) fn fingerprint(&self) -> String {
        let hash = blake3::Hasher::new_derive_key("grounds 2026 the common pace of a model's key")
            .update(self.reveal().as_bytes())
            .finalize();
        hash.to_hex()[..16].to_owned()
    }

    /// Returns a text without the key in it.
    pub fn strike_from(&self, text: &str) -> String {
        text.replace(self.reveal(), STRUCK)
    }

    /// Reports whether a text contains the key.
    pub fn is_in(&self, bytes: &[u8]) -> bool {
        bytes
            .windows(self.reveal().len())
            .any(|window| window == self.reveal().as_bytes())
    }
}

impl KeySource {
    /// Reads the key.
    ///
    /// # Errors
    /// Returns [`KeyError`] if a key is required and missing.
    pub fn get(
        &self,
        variables: &dyn Fn(&str) -> Option<String>,
    ) -> Result<Option<ApiKey>, KeyError> {
        match self {
            Self::None => Ok(None),
            Self::Environment(names) => {
                let value = names
                    .iter()
                    .filter_map(|name| variables(name))
                    // An empty variable counts as unset.
                    .find(|value| !value.trim().is_empty());
                let value = value.ok_or_else(|| KeyError::NotSet(names.clone()))?;
                ApiKey::new(&value)
                    .map(Some)
                    .ok_or(KeyError::NotAKey("the environment"))
            }
            Self::Command(command) => run(&mut shell(command), "the key command").map(Some),
            Self::Keyring(account) => run(&mut keyring(account), "the keyring").map(Some),
        }
    }
}

/// Creates a command from a user's command line, for the shell of the system.
#[cfg(unix)]
fn shell(line: &str) -> Command {
    let mut command = Command::new("sh");
    command.arg("-c").arg(line);
    command
}

/// Creates a command from a user's command line, for the shell of the system, which takes it as it
/// is written.
#[cfg(windows)]
fn shell(line: &str) -> Command {
    use std::os::windows::process::CommandExt as _;
    let mut command = Command::new("cmd");
    command
        // `/D` skips the commands of AutoRun. With `/S`, `cmd` removes only the outermost quotes.
        .args(["/D", "/S", "/C"])
        .raw_arg(format!("\"{line}\""));
    command
}

/// Creates the command of the system's own program for its keyring. Linking a client would add a
/// message bus and its runtime to the program.
fn keyring(account: &str) -> Command {
    // `-w` prints the password alone.
    let words: &[&str] = if cfg!(target_os = "macos") {
        &[
            "security",
            "find-generic-password",
            "-s",
            "grounds",
            "-w",
            "-a",
        ]
    } else {
        &["secret-tool", "lookup", "service", "grounds", "account"]
    };
    let mut command = Command::new(words[0]);
    command.args(&words[1..]).arg(account);
    command
}

/// Returns the first line that a command prints, in time. What it prints on standard error is for
/// the user to see.
fn run(command: &mut Command, what: &'static str) -> Result<ApiKey, KeyError> {
    let failed = |why: String| KeyError::Command(what, why);
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .map_err(|error| failed(format!("cannot be run: {}", error.kind())))?;
    let out = child
        .stdout
        .take()
        .ok_or_else(|| failed("has no output".to_owned()))?;
    // Read on a thread, so that a command that prints and does not end still times out.
    let (sender, receiver) = mpsc::channel();
    std::thread::spawn(move || first_line(out, &sender));
    let deadline = Instant::now() + Duration::from_millis(COMMAND_MS_MAX);
    let status = loop {
        match child
            .try_wait()
            .map_err(|error| failed(format!("cannot be watched: {}", error.kind())))?
        {
            Some(status) => break status,
            None if Instant::now() < deadline => std::thread::sleep(Duration::from_millis(5)),
            None => {
                // The wait removes the ended child from the table of the system.
                let _ = child.kill();
                let _ = child.wait();
                return Err(failed(format!("did not end within {COMMAND_MS_MAX} ms")));
            }
        }
    };
    if !status.success() {
        return Err(failed(
            status.code().map_or("was stopped".to_owned(), |code| {
                format!("ended with code {code}")
            }),
        ));
    }
    // A program that the command left running, such as an agent, may keep the output open.
    let left = deadline.saturating_duration_since(Instant::now());
    let line = receiver.recv_timeout(left).unwrap_or_default();
    ApiKey::new(&line).ok_or(KeyError::NotAKey(what))
}

/// Sends the first line, as far as a key can go, as soon as it is read. The rest is read and
/// dropped, so that a full pipe does not block the writer.
fn first_line(out: impl Read, sender: &Sender<String>) {
    let (mut out, mut head) = (BufReader::new(out), Vec::new());
    let _ = out
        .by_ref()
        // Two bytes more for the end of the line, which may be CR LF.
        .take(KEY_BYTES_MAX as u64 + 2)
        .read_until(b'\n', &mut head);
    let _ = sender.send(String::from_utf8_lossy(&head).into_owned());
    let _ = std::io::copy(&mut out.take(1 << 20), &mut std::io::sink());
}

#[cfg(test)]
mod tests {
    use super::*;

    fn get(source: &KeySource) -> Result<String, KeyError> {
        let variables = |name: &str| (name == "SECOND").then(|| " abc-123\n".to_owned());
        source
            .get(&variables)
            .map(|key| key.map_or_else(String::new, |key| key.reveal().to_owned()))
    }

    #[test]
    fn a_key_comes_from_where_the_person_says() {
        assert_eq!(get(&KeySource::None), Ok(String::new()));
        assert_eq!(
            get(&KeySource::Environment(vec![
                "FIRST".to_owned(),
                "SECOND".to_owned()
            ])),
            Ok("abc-123".to_owned())
        );
        assert_eq!(
            get(&KeySource::Command(
                "printf 'from-command\\nmore'".to_owned()
            )),
            Ok("from-command".to_owned())
        );
        assert_eq!(
            get(&KeySource::Environment(vec!["FIRST".to_owned()])),
            Err(KeyError::NotSet(vec!["FIRST".to_owned()]))
        );
        assert_eq!(
            get(&KeySource::Command("exit 3".to_owned())),
            Err(KeyError::Command(
                "the key command",
                "ended with code 3".to_owned()
            ))
        );
        assert_eq!(
            get(&KeySource::Command("echo two words".to_owned())),
            Err(KeyError::NotAKey("the key command"))
        );
    }

    #[cfg(unix)]
    #[test]
    fn a_program_that_a_command_leaves_running_is_not_waited_for() {
        let begun = Instant::now();
        let command = KeySource::Command("sleep 20 & echo from-command".to_owned());
        assert_eq!(get(&command), Ok("from-command".to_owned()));
        assert!(begun.elapsed() < Duration::from_secs(15));
    }

    #[test]
    fn a_key_is_never_shown() {
        let key = ApiKey::new("sk-very-secret").expect("a key");
        let shown = format!("{key:?}");
        assert!(!shown.contains("very"), "{shown}");
        assert_eq!(key.strike_from("bad key sk-very-secret."), "bad key [key].");
        assert!(key.is_in(b"x sk-very-secret") && !key.is_in(b"sk-very"));
        assert!(
            ApiKey::new("a b").is_none()
                && ApiKey::new("").is_none()
                && ApiKey::new("a\r\nx: y").is_none()
        );
    }
}
