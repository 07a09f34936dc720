//! `gh auth token`: the token that the person gave to GitHub's own command-line tool, for exactly
//! one host.

use std::io::Read as _;
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use super::secret::CiToken;
use crate::programs::called;

/// Milliseconds that `gh` may take.
const GH_MS_MAX: u64 = 5_000;
/// Bytes of its output.
const OUTPUT_BYTES_MAX: u64 = 8 << 10;
/// Milliseconds between two checks whether it has ended.
const POLL_MS: u64 = 5;
/// With one of these variables `gh` would print the same token for any host.
const TOKENS: [&str; 4] = [
    "GH_TOKEN",
    "GITHUB_TOKEN",
    "GH_ENTERPRISE_TOKEN",
    "GITHUB_ENTERPRISE_TOKEN",
];

/// Returns the token of a host that `gh` is logged in to, or `None` if `gh` is missing, has no
/// token or takes too long.
pub(super) fn token_for(host: &str) -> Option<CiToken> {
    let mut command = Command::new(called("gh")?);
    command
        .args(["auth", "token", "--hostname", host])
        // It does not run in the checkout, so that nothing of the repository can steer it.
        .current_dir(std::env::temp_dir());
    command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null());
    TOKENS.iter().for_each(|name| {
        command.env_remove(name);
    });
    let mut child = command
        .env("GH_PROMPT_DISABLED", "1")
        .env("GH_NO_UPDATE_NOTIFIER", "1")
        .spawn()
        .ok()?;
    let out = child.stdout.take()?;
    // A read in this thread would wait without a limit for a `gh` that never ends.
    let (send, text) = mpsc::sync_channel(1);
    std::thread::spawn(move || {
        let mut text = String::new();
        let read = out.take(OUTPUT_BYTES_MAX).read_to_string(&mut text);
        let _ = send.send(read.ok().map(|_| text));
    });
    let deadline = Instant::now() + Duration::from_millis(GH_MS_MAX);
    while Instant::now() < deadline {
        match child.try_wait() {
            Ok(Some(status)) if status.success() => {
                // A program that `gh` left behind may have the pipe open.
                let left = deadline.saturating_duration_since(Instant::now());
                let text = text.recv_timeout(left).ok().flatten();
                return text.and_then(|text| CiToken::new(&text));
            }
            Ok(Some(_)) | Err(_) => return None,
            Ok(None) => std::thread::sleep(Duration::from_millis(POLL_MS)),
        }
    }
    let _ = child.kill();
    let _ = child.wait();
    None
}
