//! The gap: the requirements that the ledger does not meet yet. It alone decides whether a run may
//! stop, and what is searched next.

use crate::class::EvidenceClass;
use crate::corroborate;
use crate::goal::{Goal, Intent};
use crate::ledger::Ledger;
use crate::level::Quality;
use crate::requirement::Requirement;

/// One requirement that is not met.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lack {
    /// The class of evidence.
    pub class: EvidenceClass,
    /// The target; empty for the project as a whole.
    pub target: String,
    /// The quality that the ledger has.
    pub have: Quality,
    /// The quality that is enough.
    pub need: Quality,
}

/// All requirements that are not met, in the order of the targets and the table.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Gap {
    /// The missing evidence.
    pub lacks: Vec<Lack>,
}

/// One requirement of one target with the quality that the ledger has for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RequirementStanding {
    /// The requirement.
    pub requirement: Requirement,
    /// The target; empty for the project as a whole.
    pub target: String,
    /// The quality that the ledger has.
    pub have: Quality,
}

/// Returns the quality that the ledger has for each requirement of each target.
pub fn standings(
    goal: &Goal,
    requirements: &[Requirement],
    ledger: &Ledger,
) -> Vec<RequirementStanding> {
    let (of_targets, of_project): (Vec<Requirement>, Vec<Requirement>) = requirements
        .iter()
        .partition(|requirement| requirement.class.is_about_a_target());
    // A goal without targets must not meet the requirements about targets for that reason.
    let targets: Vec<&str> = if goal.targets.is_empty() {
        vec![""]
    } else {
        goal.targets
            .iter()
            .map(|target| target.text.as_str())
            .collect()
    };
    let pairs = targets.iter().flat_map(|target| {
        of_targets
            .iter()
            .map(move |requirement| (*requirement, *target))
    });
    // What is about the project is asked for once, and not for each target.
    let pairs = pairs.chain(of_project.iter().map(|requirement| (*requirement, "")));
    let standing = |(requirement, target): (Requirement, &str)| {
        let have = match goal.intent {
            // A change needs a state that works, and a failed run is no such state.
            Intent::Modify => corroborate::quality_as_baseline(ledger, requirement.class, target),
            Intent::Locate
            | Intent::Navigate
            | Intent::Explain
            | Intent::Compare
            | Intent::Review
            | Intent::Diagnose
            | Intent::Status
            | Intent::Execute
            | Intent::Chat => corroborate::quality(ledger, requirement.class, target),
        };
        RequirementStanding {
            requirement,
            target: target.to_owned(),
            have,
        }
    };
    pairs.map(standing).collect()
}

/// Returns the unmet requirements. Strength is not a parameter: however much evidence there is,
/// only quality closes a gap.
pub fn of(goal: &Goal, requirements: &[Requirement], ledger: &Ledger) -> Gap {
    let unmet = standings(goal, requirements, ledger)
        .into_iter()
        .filter(|standing| standing.have < standing.requirement.minimum);
    let lack = |standing: RequirementStanding| Lack {
        class: standing.requirement.class,
        target: standing.target,
        have: standing.have,
        need: standing.requirement.minimum,
    };
    Gap {
        lacks: unmet.map(lack).collect(),
    }
}

impl Gap {
    /// Reports whether nothing is missing: the gate.
    pub fn is_closed(&self) -> bool {
        self.lacks.is_empty()
    }

    /// Reports whether only this class is missing.
    pub fn lacks_only(&self, class: EvidenceClass) -> bool {
        !self.is_closed() && self.lacks.iter().all(|lack| lack.class == class)
    }

    /// Reports whether only evidence is missing that the text cannot give: a run of the project, or
    /// its kind. Everything that the text says is known then.
    pub fn lacks_nothing_of_the_text(&self) -> bool {
        use EvidenceClass as C;
        let is_beside = |lack: &Lack| {
            matches!(
                lack.class,
                C::Build | C::Test | C::CiWorkflow | C::Discovery
            )
        };
        !self.is_closed() && self.lacks.iter().all(is_beside)
    }
}
