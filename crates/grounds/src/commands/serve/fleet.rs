//! The pages of the fleet: its runs, one run, one job. The ledger is the person's own. Each request
//! opens it, only to read it, and for a bounded time. A ledger that cannot be read becomes a page
//! that says why.

use std::time::Duration;

use grounds_fleet::ledger::{ChosenJobs, Cut, PageFrom};
use grounds_fleet::{Ledger, LedgerPlace};
use jiff::Timestamp;

use super::super::fleet;
use super::{Status, StatusAndPage, message};
use crate::cli::Global;
use crate::config;
use crate::error::Error;
use crate::output::fleet::StatusReport;
use crate::output::html::{
    FleetJob, FleetList, FleetRun, of_fleet_job, of_fleet_list, of_fleet_run,
};
use crate::output::store::moment;

/// Milliseconds that everything that a page reads may take.
const READ_MS_MAX: u64 = 10_000;
/// Runs of a page of the list.
const RUNS_STEP: usize = 20;
/// Jobs of a page.
const JOBS_STEP: usize = 50;
/// Dead letters that a run shows with their evidence.
const DEAD_MAX: usize = 10;
/// The parts of a dead letter that are shown beside others.
const CUT_OF_MANY: Cut = Cut {
    report_letters_max: 0,
    attempts_max: 5,
    detail_letters_max: 600,
};
/// The parts of a job that are shown on a page of its own.
const CUT_OF_ONE: Cut = Cut {
    report_letters_max: 200_000,
    attempts_max: 20,
    detail_letters_max: 4 << 10,
};

/// The ledger that is shown.
pub(super) struct Fleet {
    place: LedgerPlace,
}

impl Fleet {
    /// Returns the ledger of the person's own configuration, as all commands choose it.
    pub(super) fn new(global: &Global) -> Result<Self, Error> {
        let config = config::read_own(global.config.as_deref())?;
        Ok(Self {
            place: fleet::own_place(&config)?,
        })
    }

    /// Returns the page for the path after `fleet/`.
    pub(super) fn answer(&self, path: &str, query: &str, token: &str) -> StatusAndPage {
        // Split before it is decoded: the name of a run may contain a slash.
        let names: Vec<String> = path.split('/').map(decoded).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let shown = match names.as_slice() {
            [""] => self.list(query, token),
            [run] => self.run(run, query, token),
            [run, job] if !run.is_empty() && !job.is_empty() => self.job(run, job, token),
            _ => Ok(nothing("There is no such page.", token)),
        };
        shown.unwrap_or_else(|error| of_error(&error, token))
    }

    fn list(&self, query: &str, token: &str) -> Result<StatusAndPage, Error> {
        let Some(mut ledger) = self.open()? else {
            return Ok(self.no_ledger(token));
        };
        let status = ledger.status(None)?;
        let status = StatusReport::of(ledger.shown(), &status, &Default::default());
        let skip = of_query(query, "skip").parse::<u32>();
        let page = of_fleet_list(&FleetList {
            status: &status,
            read: &now(),
            skipped: skip.map_or(0, |skip| skip as usize),
            step: RUNS_STEP,
        });
        Ok((Status::Shown, page))
    }

    fn run(&self, run: &str, query: &str, token: &str) -> Result<StatusAndPage, Error> {
        let Some(mut ledger) = self.open()? else {
            return Ok(self.no_ledger(token));
        };
        let (_, status) = fleet::report(&mut ledger, Some(run))?;
        let chosen = chosen(query);
        let from = from(query);
        // One row more than is shown says whether there is a further page, without counting a
        // million rows.
        let mut rows = ledger.rows(run, &chosen, &from, JOBS_STEP + 1)?;
        let has_more = rows.len() > JOBS_STEP;
        let (has_earlier, has_later) = match from {
            PageFrom::Start => (false, has_more),
            PageFrom::After(..) => (true, has_more),
            PageFrom::Before(..) => (has_more, true),
        };
        match from {
            // Going back, the surplus row is the first one.
            PageFrom::Before(..) if has_more => drop(rows.remove(0)),
            _ => rows.truncate(JOBS_STEP),
        }
        let dead = ChosenJobs::of_state("dead");
        let dead = ledger.rows_with_attempts(run, &dead, DEAD_MAX, CUT_OF_MANY)?;
        let page = of_fleet_run(&FleetRun {
            run: &status.runs[0],
            read: &now(),
            chosen: &chosen,
            rows: &rows,
            has_earlier,
            has_later,
            dead: &dead,
        });
        Ok((Status::Shown, page))
    }

    fn job(&self, run: &str, job: &str, token: &str) -> Result<StatusAndPage, Error> {
        let Some(mut ledger) = self.open()? else {
            return Ok(self.no_ledger(token));
        };
        Ok(match ledger.entry(run, job, CUT_OF_ONE)? {
            Some(entry) => {
                let page = of_fleet_job(&FleetJob { run, entry: &entry });
                (Status::Shown, page)
            }
            None => nothing("The run has no job of this name.", token),
        })
    }

    /// Opens the ledger; `None` if there is no such file.
    fn open(&self) -> Result<Option<Ledger>, Error> {
        self.place.check()?;
        // Any other obstacle to a file is reported by the code that opens it.
        let is_missing = |file: &std::path::Path| matches!(file.try_exists(), Ok(false));
        if self.place.file().is_some_and(is_missing) {
            return Ok(None);
        }
        let database = self
            .place
            .open_to_read(Duration::from_millis(READ_MS_MAX))?;
        Ok(Some(Ledger::of(database)?))
    }

    fn no_ledger(&self, token: &str) -> StatusAndPage {
        let text = format!(
            "There is no ledger yet: no file is at {}. The command `grounds fleet submit FILE.jsonl` \
             makes it; to show another one, set GROUNDS_FLEET_LEDGER or `fleet.ledger` in your own \
             grounds/config.yaml and start `grounds serve` again.",
            self.place
        );
        message(
            Status::Shown,
            "No ledger",
            &text,
            Some(&format!("/{token}/")),
        )
    }
}

fn nothing(text: &str, token: &str) -> StatusAndPage {
    let list = format!("/{token}/fleet/");
    message(Status::NotThere, "Nothing here", text, Some(&list))
}

fn of_error(error: &Error, token: &str) -> StatusAndPage {
    let status = match error {
        Error::FleetRun { .. } => return nothing("The ledger has no run of this name.", token),
        Error::Fleet(fault) if fault.is_passing() => Status::NotNow,
        _ => Status::Broken,
    };
    message(
        status,
        "The ledger cannot be shown",
        &format!("{error}; try: {}", error.advice()),
        Some(&format!("/{token}/")),
    )
}

fn now() -> String {
    moment(Timestamp::now().as_millisecond())
}

/// Decodes a part of a path.
fn decoded(part: &str) -> String {
    let mut pairs = form_urlencoded::parse(part.as_bytes());
    pairs
        .next()
        .map_or_else(String::new, |(name, _)| name.into_owned())
}

fn of_query(query: &str, name: &str) -> String {
    let mut pairs = form_urlencoded::parse(query.as_bytes());
    let found = pairs.find(|(key, _)| key == name);
    found.map_or_else(String::new, |(_, value)| value.into_owned())
}

fn chosen(query: &str) -> ChosenJobs {
    ChosenJobs {
        state: of_query(query, "state"),
        word: of_query(query, "word"),
        kind: of_query(query, "kind"),
        topic: of_query(query, "topic"),
    }
}

/// Returns where a page of jobs begins: `after=PLACE.NAME` or `before=PLACE.NAME`, else at the
/// start.
fn from(query: &str) -> PageFrom {
    let at = |name: &str| {
        let value = of_query(query, name);
        // The place is a number; a name may have dots of its own.
        let (place, id) = value.split_once('.')?;
        Some((place.parse().ok()?, id.to_owned()))
    };
    match (at("after"), at("before")) {
        (Some((place, id)), _) => PageFrom::After(place, id),
        (None, Some((place, id))) => PageFrom::Before(place, id),
        (None, None) => PageFrom::Start,
    }
}
