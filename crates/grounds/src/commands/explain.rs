//! `grounds explain`: the meaning of a name that the program printed.

use super::print;
use crate::cli::{Explain, Global};
use crate::error::Error;
use crate::exit::Exit;
use crate::explain;
use crate::output::explain::ExplainReport;

pub(super) fn run(arguments: &Explain, global: &Global) -> Result<Exit, Error> {
    let name = arguments.name.join(" ");
    let is_list = name.trim().is_empty();
    let entries = match is_list {
        true => explain::entries(),
        false => vec![
            explain::find(&name).map_err(|nearest| Error::NothingToExplain { name, nearest })?,
        ],
    };
    let report = ExplainReport::of(&entries);
    print(Exit::Answered, &mut |out| {
        if is_list {
            report.list(global.format, out)
        } else {
            report.explain(global.format, out)
        }
    })
}
