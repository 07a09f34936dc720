//! universal-ctags: every tag of the name. It keeps no index here, so a call reads the whole tree.

use std::ffi::OsString;

use super::Peer;
use crate::observed::Spot;

/// `ctags`.
pub(super) struct Ctags;

const FORMAT: &str = "--_xformat=%N\t%F\t%n";

impl Peer for Ctags {
    fn name(&self) -> &'static str {
        "ctags"
    }

    fn program(&self) -> &'static str {
        "ctags"
    }

    fn words(&self, _query: &str) -> Vec<OsString> {
        // The settings of the machine must not change the result.
        [
            "--options=NONE",
            "--recurse",
            "--links=no",
            "-x",
            FORMAT,
            ".",
        ]
        .into_iter()
        .map(OsString::from)
        .collect()
    }

    fn places(&self, said: &str, query: &str) -> std::io::Result<Vec<Spot>> {
        let is_named = |line: &&str| line.split('\t').next() == Some(query);
        Ok(said.lines().filter(is_named).filter_map(of_tag).collect())
    }
}

fn of_tag(line: &str) -> Option<Spot> {
    let mut fields = line.split('\t').skip(1);
    let (path, number) = (fields.next()?, fields.next()?);
    let line_start = number.trim().parse().ok()?;
    let path = path.strip_prefix("./").unwrap_or(path).to_owned();
    Some(Spot {
        path,
        line_start,
        line_end: line_start,
        ..Spot::default()
    })
}
