//! Gap → tool. The planner reads only the cards of the tools: it picks the cheapest tool that can
//! close what is missing, and never the same tool twice for the same target. If a class is met, it
//! also asks families that have not reported on it.

use grounds_evidence::gap::RequirementStanding;
use grounds_evidence::{
    EvidenceClass, Gap, Lack, Ledger, Observation, Quality, QuestionTarget, Rating, WantedRelation,
};
use grounds_repo::tool::{Offer, Pointed, Tool, ToolCard};

/// One step of the plan.
#[derive(Clone, Debug)]
pub struct PlanStep {
    /// The tool.
    pub tool: &'static dyn Tool,
    /// The number of the target; `None` for the whole project.
    pub target: Option<usize>,
    /// Places that the search points at, best first.
    pub pointed_at: Vec<Pointed>,
}

/// What has run: the tool's name, the target, and which round it was.
pub type Ran = Vec<(&'static str, Option<usize>, usize)>;

/// Returns the next step, if some tool can still close a part of the gap.
pub fn next(
    gap: &Gap,
    targets: &[QuestionTarget],
    ledger: &Ledger,
    tools: &[&'static dyn Tool],
    ran: &Ran,
    round: usize,
) -> Option<PlanStep> {
    gap.lacks
        .iter()
        .find_map(|lack| cheapest(lack, targets, ledger, tools, ran, round))
}

/// Returns the next step that asks another family of evidence about a requirement that is met, to
/// corroborate or contradict it. Each family at hand is asked once.
pub fn next_voice(
    standings: &[RequirementStanding],
    targets: &[QuestionTarget],
    ledger: &Ledger,
    tools: &[&'static dyn Tool],
    ran: &Ran,
    round: usize,
) -> Option<PlanStep> {
    let met = standings
        .iter()
        .filter(|standing| standing.have >= standing.requirement.minimum);
    met.filter(|standing| standing.requirement.class.is_about_a_target())
        .find_map(|standing| {
            let class = standing.requirement.class;
            let number = targets
                .iter()
                .position(|target| target.text == standing.target)?;
            let has_spoken = |family| {
                ledger
                    .about(class, &standing.target)
                    .any(|(_, entry)| entry.observation.family == family)
            };
            let lack = Lack {
                class,
                target: standing.target.clone(),
                have: standing.have,
                // Only another family can raise a met requirement, up to Verified.
                need: Quality::Verified,
            };
            let could_speak = |tool: &&&'static dyn Tool| {
                let card = tool.card();
                let fits = card
                    .offers
                    .iter()
                    .any(|offer| can_close(offer, &lack, Some(&targets[number])));
                fits && !has_spoken(card.family) && !ran.contains(&(card.name, Some(number), round))
            };
            tools
                .iter()
                .filter(could_speak)
                .find_map(|tool| step(*tool, Some(number), &lack, ledger))
        })
}

/// Reports whether no existing tool could ever close a lack.
pub fn is_beyond(lack: &Lack, tools: &[&dyn Tool]) -> bool {
    !tools.iter().any(|tool| {
        tool.card()
            .offers
            .iter()
            .any(|offer| offer.class == lack.class)
    })
}

fn cheapest(
    lack: &Lack,
    targets: &[QuestionTarget],
    ledger: &Ledger,
    tools: &[&'static dyn Tool],
    ran: &Ran,
    round: usize,
) -> Option<PlanStep> {
    let number = targets.iter().position(|target| target.text == lack.target);
    let target = number.filter(|_| lack.class.is_about_a_target());
    // Observations about the whole project do not depend on the part of the tree that is searched.
    let is_same = |other: usize| other == round || target.is_none();
    let has_run = |name: &str| {
        ran.iter()
            .any(|(tool, on, round)| *tool == name && *on == target && is_same(*round))
    };
    let fits = |tool: &&&'static dyn Tool| !has_run(tool.card().name);
    let offers = tools
        .iter()
        .filter(fits)
        .flat_map(|tool| tool.card().offers.iter().map(move |offer| (*tool, offer)));
    let mut usable: Vec<(&'static dyn Tool, &Offer)> = offers
        .filter(|(_, offer)| can_close(offer, lack, target.map(|number| &targets[number])))
        .collect();
    usable.sort_by_key(|(_, offer)| offer.cost);
    usable
        .into_iter()
        .find_map(|(tool, _)| step(tool, target, lack, ledger))
}

/// Reports whether an offer's best rating would be enough. No rating is Verified: corroboration
/// derives it, so the best rating has to suffice.
fn can_close(offer: &Offer, lack: &Lack, target: Option<&QuestionTarget>) -> bool {
    let fits_kind = match target {
        Some(target) => offer.kinds.contains(&target.kind),
        None => offer.kinds.is_empty(),
    };
    let best = offer.best_rating(target.map_or(WantedRelation::Occurrence, |target| target.wanted));
    let enough = Quality::from(best) >= lack.need.min(Quality::from(Rating::Strong));
    offer.class == lack.class && fits_kind && enough
}

fn step(
    tool: &'static dyn Tool,
    target: Option<usize>,
    lack: &Lack,
    ledger: &Ledger,
) -> Option<PlanStep> {
    let card: &ToolCard = tool.card();
    // A tool that runs after another class reads the places which that class found, such as the
    // reader after the search.
    let Some(class) = card.after else {
        return Some(PlanStep {
            tool,
            target,
            pointed_at: Vec::new(),
        });
    };
    let pointed_at = best_pointing(ledger, class, &lack.target);
    (!pointed_at.is_empty()).then_some(PlanStep {
        tool,
        target,
        pointed_at,
    })
}

/// Returns the places of all evidence with the best rating: a use and an import both answer "who
/// uses it?".
fn best_pointing(ledger: &Ledger, class: EvidenceClass, target: &str) -> Vec<Pointed> {
    let rated = || {
        ledger.about(class, target).filter(|(_, entry)| {
            entry.rating() > Rating::Weak && !entry.observation.sources.is_empty()
        })
    };
    let best = rated().map(|(_, entry)| entry.rating()).max();
    let pointed = |seen: &Observation| Pointed {
        sources: seen.sources.clone(),
        found: seen.found,
        relation: seen.relation,
    };
    rated()
        .filter(|(_, entry)| Some(entry.rating()) == best)
        .map(|(_, entry)| pointed(&entry.observation))
        .collect()
}
