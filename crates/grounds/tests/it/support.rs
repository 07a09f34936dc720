//! Running the program over trees made for one test.

use std::path::Path;
use std::process::{Command, Output};

/// What a run of the program gave.
pub(crate) struct Run {
    pub(crate) stdout: String,
    pub(crate) stderr: String,
    pub(crate) code: i32,
}

/// Runs the program on a tree.
pub(crate) fn grounds(tree: &Path, arguments: &[&str]) -> Run {
    let output: Output = Command::new(env!("CARGO_BIN_EXE_grounds"))
        .args(arguments)
        .arg("--repo")
        .arg(tree)
        .env_remove("NO_COLOR")
        .env("GIT_CEILING_DIRECTORIES", "/")
        .output()
        .expect("the program runs");
    Run {
        stdout: String::from_utf8(output.stdout).expect("output is UTF-8"),
        stderr: String::from_utf8(output.stderr).expect("messages are UTF-8"),
        code: output.status.code().expect("the program ends by itself"),
    }
}

/// Writes a file of a tree, with its folders.
pub(crate) fn write(tree: &Path, name: &str, text: impl AsRef<[u8]>) {
    let path = tree.join(name);
    std::fs::create_dir_all(path.parent().expect("a file lies in a folder")).expect("folders can be made");
    std::fs::write(path, text).expect("files can be written");
}
