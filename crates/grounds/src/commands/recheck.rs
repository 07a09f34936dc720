//! `grounds recheck`: is what a run cited still true?

use std::path::Path;

use grounds_web::Fetch;

use super::show::find;
use super::{links, print};
use crate::cli::{Format, Global, Recheck};
use crate::config;
use crate::error::Error;
use crate::exit::Exit;
use crate::output::html;
use crate::output::store::RecheckReport;
use crate::recheck::{self, RecheckSources};

pub(super) fn run(arguments: &Recheck, global: &Global) -> Result<Exit, Error> {
    let run = find(&arguments.which, global)?;
    let web = arguments.web.then(super::verify::web_pages).transpose()?;
    // The tree of the run may be a stranger's, or gone: only the person's configuration counts.
    let limits = config::read_own(global.config.as_deref())?
        .ask
        .budget()
        .limits;
    let sources = RecheckSources {
        tree: global.repo.as_deref(),
        web: web.as_deref().map(|web| web as &dyn Fetch),
        file_bytes_max: limits.file_bytes_max,
    };
    let checked = recheck::recheck(&run, &sources).map_err(|reason| Error::Kept {
        run: run.head.id.clone(),
        reason,
    })?;
    let report = RecheckReport::of(&run.head, &checked);
    let exit: Exit = recheck::exit(&checked);
    if global.format == Format::Html {
        let tree = sources.tree.unwrap_or(Path::new(&run.head.repository));
        let page = html::of_recheck(&run.head, &report, &links::of_today(tree));
        return print(exit, &mut |out| writeln!(out, "{page}"));
    }
    print(exit, &mut |out| report.print(global.format, out))
}
