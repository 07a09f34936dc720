//! ripgrep: every line that has the name as a word.

use std::ffi::OsString;

use super::{Peer, of_line};
use crate::observed::Spot;

/// `rg`.
pub(super) struct Ripgrep;

impl Peer for Ripgrep {
    fn name(&self) -> &'static str {
        "ripgrep"
    }

    fn program(&self) -> &'static str {
        "rg"
    }

    fn words(&self, query: &str) -> Vec<OsString> {
        // The settings of the machine must not change the result, and `-e` takes a query that
        // begins with a dash.
        let fixed = [
            "--no-config",
            "--no-heading",
            "--line-number",
            "--color=never",
            "--sort=path",
            "-w",
            "-F",
            "-e",
        ];
        fixed
            .into_iter()
            .map(OsString::from)
            .chain([query.into(), ".".into()])
            .collect()
    }

    fn places(&self, said: &str, _query: &str) -> std::io::Result<Vec<Spot>> {
        Ok(said.lines().filter_map(of_line).collect())
    }
}
