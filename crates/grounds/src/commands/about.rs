//! `grounds about`: version, licence, and the components of the program.

use super::print;
use crate::cli::{About, Format, Global};
use crate::error::Error;
use crate::exit::Exit;
use crate::output::about::{AboutReport, NOTICES};

pub(super) fn run(arguments: &About, global: &Global) -> Result<Exit, Error> {
    let report = AboutReport::new();
    print(
        Exit::Answered,
        &mut |out| match (global.format, arguments.licences) {
            (Format::Json, _) => report.json(out),
            (_, true) => out.write_all(NOTICES.as_bytes()),
            (_, false) => report.lines(out),
        },
    )
}
