//! Removes the private folder of a run after this program ended in any way: an interrupt from the
//! keyboard or a kill leaves no copy of the tree behind.

use std::path::Path;
use std::process::{Child, Command, Stdio};

/// Waits until the other end of its input is closed. Then it makes writable what a run made
/// unwritable, and removes all.
const SWEEP: &str = "trap '' INT TERM HUP\ncat >/dev/null\nfor again in 1 2 3 4 5; do\n\
    [ -e \"$1\" ] || exit 0\nchmod -R u+rwX \"$1\" 2>/dev/null\nrm -rf -- \"$1\" 2>/dev/null && exit 0\nsleep 1\ndone";

/// A process that waits for the end of this one.
#[derive(Debug)]
pub struct Sweeper {
    child: Option<Child>,
}

impl Sweeper {
    /// Watches over a folder, which must be private. Without a shell nothing is watched.
    pub fn over(folder: &Path) -> Self {
        use std::os::unix::process::CommandExt as _;
        let mut command = Command::new("/bin/sh");
        command
            .args(["-c", SWEEP, "sh"])
            .arg(folder)
            .current_dir("/")
            .env_clear()
            .env("PATH", "/usr/bin:/bin");
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            // An interrupt from the keyboard goes to the group of this program, and must not end
            // the sweeper.
            .process_group(0);
        Self {
            child: command.spawn().ok(),
        }
    }
}

impl Drop for Sweeper {
    fn drop(&mut self) {
        if let Some(child) = &mut self.child {
            drop(child.stdin.take());
            let _ = child.wait();
        }
    }
}
