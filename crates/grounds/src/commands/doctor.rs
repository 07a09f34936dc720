//! `grounds doctor`: the external tools that grounds uses, whether each is installed, what is
//! unavailable without it, and how to get it. `doctor model` makes a round trip.

mod checks;
#[cfg(feature = "model")]
mod model;
mod probe;
pub(super) mod variables;

use super::print;
use crate::cli::{Doctor, DoctorSubject, Global};
use crate::error::Error;
use crate::exit::Exit;
use crate::output::doctor::{CheckState, DoctorReport};

pub(super) fn run(arguments: &Doctor, global: &Global) -> Result<Exit, Error> {
    match arguments.subject {
        Some(DoctorSubject::Model) => model(arguments, global),
        None => everything(arguments, global),
    }
}

#[cfg(feature = "model")]
fn model(arguments: &Doctor, global: &Global) -> Result<Exit, Error> {
    model::run(arguments, global)
}

#[cfg(not(feature = "model"))]
fn model(_arguments: &Doctor, _global: &Global) -> Result<Exit, Error> {
    Err(Error::NotBuilt)
}

fn everything(arguments: &Doctor, global: &Global) -> Result<Exit, Error> {
    let checkout = super::ask::open(global)?;
    let checks = checks::all(checkout.root(), arguments, global);
    let usable = checks
        .iter()
        .all(|check| !check.is_needed || check.state == CheckState::Ok);
    let report = DoctorReport {
        schema: "grounds.doctor/1",
        usable,
        checks,
        models: Vec::new(),
        advice: None,
    };
    let exit = if usable {
        Exit::Answered
    } else {
        Exit::Insufficient
    };
    let colour = super::ask::wants_colour(global);
    print(exit, &mut |out| {
        report.print_checks(global.format, colour, out)
    })
}
