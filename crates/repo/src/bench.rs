//! The shared state of the tools of one run: the checkout, the targets, and what was already read,
//! so that the tree is read only once.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use grounds_evidence::{QuestionTarget, Relation, TargetKind, WantedRelation};

use crate::checkout::Checkout;
use crate::ci::{self, CiError};
use crate::emitters::{self, Emitters};
use crate::enquiry::Enquiry;
use crate::frames::{self, Traced};
use crate::history::{self, Findings};
use crate::index::{self, Consulted, Unusable};
use crate::labels::{self, LabelledPlace, Places};
use crate::limits::Limits;
use crate::means::Means;
use crate::message::Message;
use crate::needles::Needles;
use crate::owner::{self, Owned, Ownership, SearchGround};
use crate::relations::{self, Uses};
use crate::role;
use crate::scope::SearchScope;
use crate::survey::{self, FileHits, Progress, Survey, SurveyedPart};
use crate::tool::ToolError;
use crate::toolchains::Workshop;

/// What the tools of one run share.
#[derive(Debug)]
pub struct Bench<'a> {
    /// The checkout.
    pub checkout: &'a Checkout,
    /// The bounds.
    pub limits: &'a Limits,
    /// What the run asks.
    pub enquiry: &'a Enquiry,
    /// What it may use beyond reading the tree.
    pub means: &'a Means,
    /// How far the pass is.
    pub progress: &'a Progress,
    /// What the build and the tests of the run share.
    pub workshop: Workshop,
    needles: Needles,
    part: SurveyedPart,
    survey: Option<Rc<Survey>>,
    owners: Vec<Owned>,
    disowned: Option<Rc<Survey>>,
    places: BTreeMap<(usize, BenchKind), Rc<Places>>,
    uses: BTreeMap<usize, Option<Rc<Uses>>>,
    implementers: BTreeMap<usize, Rc<Vec<LabelledPlace>>>,
    history: Option<Rc<Result<Findings, ToolError>>>,
    ci: Option<Result<Rc<ci::CiFindings>, CiError>>,
    index: Option<Result<Rc<Consulted>, Unusable>>,
    emitters: BTreeMap<usize, Rc<Emitters>>,
    frames: Option<Rc<Vec<Traced>>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum BenchKind {
    Labelled,
    Everywhere,
    Described,
}

impl<'a> Bench<'a> {
    /// Returns a bench over the visible part of a checkout.
    pub fn new(
        checkout: &'a Checkout,
        limits: &'a Limits,
        enquiry: &'a Enquiry,
        means: &'a Means,
        progress: &'a Progress,
    ) -> Self {
        Self {
            checkout,
            limits,
            enquiry,
            means,
            progress,
            workshop: Workshop::default(),
            needles: Needles::of_targets(&enquiry.targets),
            part: SurveyedPart::Visible,
            survey: None,
            owners: Vec::new(),
            disowned: None,
            places: BTreeMap::new(),
            uses: BTreeMap::new(),
            implementers: BTreeMap::new(),
            history: None,
            ci: None,
            index: None,
            emitters: BTreeMap::new(),
            frames: None,
        }
    }

    /// Returns the same bench over what the first part left out.
    pub fn over_hidden_and_ignored(&self) -> Self {
        let Self {
            checkout,
            limits,
            enquiry,
            means,
            progress,
            ..
        } = *self;
        // What was built for the first part is not built again.
        let workshop = self.workshop.clone();
        Self {
            part: SurveyedPart::HiddenAndIgnored,
            workshop,
            ..Self::new(checkout, limits, enquiry, means, progress)
        }
    }

    /// Returns the targets of the question.
    pub fn targets(&self) -> &'a [QuestionTarget] {
        &self.enquiry.targets
    }

    /// Returns the result of the one pass over the tree, which is made at the first call. The last
    /// part of a dotted name counts only if it belongs to the rest.
    pub fn survey(&mut self) -> Rc<Survey> {
        if let Some(known) = &self.survey {
            return Rc::clone(known);
        }
        let (checkout, targets, limits) = (self.checkout, self.targets(), self.limits);
        let (part, progress) = (self.part, self.progress);
        let mut seen = survey::survey(checkout, targets, &self.needles, part, limits, progress);
        let ground = SearchGround {
            checkout,
            part,
            limits,
            progress,
        };
        self.owners = owner::of_targets(ground, &mut seen, &self.needles, targets);
        let is_lacking = |number: &usize| self.owners[*number].ownership != Ownership::Shown;
        let lacking: Vec<usize> = (0..self.owners.len()).filter(is_lacking).collect();
        if !lacking.is_empty() {
            // A refusal shows near misses, so the counts before the removal are kept.
            self.disowned = Some(Rc::new(seen.clone()));
            lacking.into_iter().for_each(|number| seen.disown(number));
        }
        self.keep_within(&mut seen);
        Rc::clone(self.survey.insert(Rc::new(seen)))
    }

    /// Returns the result of the pass, with the needles that find the names again in a file.
    pub fn into_pass(mut self) -> (Rc<Survey>, Needles) {
        (self.survey(), self.needles)
    }

    /// Reports whether the pass over the tree was made.
    pub const fn has_searched(&self) -> bool {
        self.survey.is_some()
    }

    /// Keeps only what lies in the part of the tree that the question names.
    fn keep_within(&self, seen: &mut Survey) {
        let within = &self.enquiry.within;
        if within.is_everything() {
            return;
        }
        seen.files
            .retain(|file| within.holds(&file.path, role::of(&file.path)));
        seen.names
            .iter_mut()
            .for_each(|names| names.retain(|(_, path)| within.holds(path, role::of(path))));
    }

    /// Returns how the last part of a target relates to what is named before it.
    pub fn ownership(&mut self, number: usize) -> Ownership {
        self.survey();
        self.owners
            .get(number)
            .map_or(Ownership::Shown, |owned| owned.ownership.clone())
    }

    /// Returns the files, in the part that the question names, in which a dotted name is written as
    /// a whole. `None` for a name without an owner.
    pub(crate) fn written(&mut self, number: usize) -> Option<Vec<FileHits>> {
        self.survey();
        if self.targets()[number].qualifiers().is_empty() {
            return None;
        }
        let within = &self.enquiry.within;
        let mut files = self.owners.get(number)?.written.clone();
        files.retain(|file| within.holds(&file.path, role::of(&file.path)));
        Some(files)
    }

    /// Returns what the pass saw before it removed occurrences of last parts, or `None` if it
    /// removed nothing.
    pub(crate) fn disowned(&mut self) -> Option<Rc<Survey>> {
        self.survey();
        self.disowned.clone()
    }

    /// Returns the labelled places of a target. The uses of a member named with its owner are
    /// those of that owner.
    pub fn places(&mut self, number: usize) -> Rc<Places> {
        if let Some(known) = self.places.get(&(number, BenchKind::Labelled)) {
            return Rc::clone(known);
        }
        let survey = self.survey();
        let (target, limits) = (&self.targets()[number], self.limits);
        let label = |target: &QuestionTarget| {
            labels::label(
                self.checkout,
                &survey,
                &self.needles,
                number,
                target,
                limits,
            )
        };
        let mut places = label(target);
        // Hidden and ignored files are not resolved: the index of relations is of the visible tree.
        let uses = if self.part == SurveyedPart::Visible {
            relations::uses(self.checkout, target, &places, limits, &label)
        } else {
            None
        };
        if let Some(uses) = &uses {
            places = uses.instead_of(places);
        }
        self.uses.insert(number, uses.map(Rc::new));
        let places = Rc::new(places);
        self.places
            .insert((number, BenchKind::Labelled), Rc::clone(&places));
        places
    }

    /// Returns the uses of a member separated by owner. `None` if they were not separated, or not
    /// searched yet.
    pub fn uses_by_owner(&self, number: usize) -> Option<Rc<Uses>> {
        self.uses.get(&number).cloned().flatten()
    }

    /// Returns the types that have every method of the interface of Go that a target names, or
    /// what extends or overrides a target that is named with its owner.
    pub fn implementers(&mut self, number: usize) -> Rc<Vec<LabelledPlace>> {
        if let Some(known) = self.implementers.get(&number) {
            return Rc::clone(known);
        }
        let places = self.places(number);
        let target = &self.targets()[number];
        let mut found = relations::implementers(self.checkout, target, &places, self.limits);
        let within = &self.enquiry.within;
        found.retain(|place| within.holds(&place.path, place.role));
        let found = Rc::new(found);
        self.implementers.insert(number, Rc::clone(&found));
        found
    }

    /// Returns the places of a target in some files: the known ones, else by a parse of these files
    /// only.
    pub fn places_in(&mut self, number: usize, paths: &[&str]) -> Vec<LabelledPlace> {
        if let Some(known) = self.places.get(&(number, BenchKind::Labelled)) {
            return known.places.clone();
        }
        let survey = self.survey();
        labels::label_some(
            self.checkout,
            &survey,
            &self.needles,
            number,
            &self.targets()[number],
            self.limits,
            paths,
        )
        .0
    }

    /// Returns the definitions that a phrase describes.
    pub fn described(&mut self, number: usize) -> Rc<Places> {
        let survey = self.survey();
        let (checkout, target, limits) = (self.checkout, &self.targets()[number], self.limits);
        let make = || Rc::new(labels::described(checkout, &survey, number, target, limits));
        Rc::clone(
            self.places
                .entry((number, BenchKind::Described))
                .or_insert_with(make),
        )
    }

    /// Returns all labelled places of a target, uses included, whatever the question wants:
    /// material for the rest of an answer. Up to `related_bytes_max` bytes of files are parsed for
    /// it; its scope says what was left out.
    pub fn everywhere(&mut self, number: usize) -> Rc<Places> {
        let survey = self.survey();
        let (checkout, needles) = (self.checkout, &self.needles);
        let target = QuestionTarget {
            wanted: WantedRelation::Uses,
            ..self.targets()[number].clone()
        };
        let limits = Limits {
            parse_bytes_max: self.limits.related_bytes_max,
            ..*self.limits
        };
        let make = || {
            Rc::new(labels::label(
                checkout, &survey, needles, number, &target, &limits,
            ))
        };
        Rc::clone(
            self.places
                .entry((number, BenchKind::Everywhere))
                .or_insert_with(make),
        )
    }

    /// Returns the places that can emit a message, and those that quote it.
    pub fn emitters(&mut self, number: usize) -> Rc<Emitters> {
        let survey = self.survey();
        let (checkout, target, limits) = (self.checkout, &self.targets()[number], self.limits);
        let make = || {
            Rc::new(emitters::look(
                checkout,
                &survey,
                number,
                &Message::of(&target.text),
                limits,
            ))
        };
        Rc::clone(self.emitters.entry(number).or_insert_with(make))
    }

    /// Returns the places of a pasted trace that lie in the visible tree.
    pub fn frames(&mut self) -> Rc<Vec<Traced>> {
        let (checkout, limits, enquiry) = (self.checkout, self.limits, self.enquiry);
        let of_part = |part| {
            if part == SurveyedPart::Visible {
                frames::place(checkout, &enquiry.frames, limits)
            } else {
                Vec::new()
            }
        };
        Rc::clone(
            self.frames
                .get_or_insert_with(|| Rc::new(of_part(self.part))),
        )
    }

    /// Reports whether the definitions that a phrase describes were searched.
    pub fn has_described(&self, number: usize) -> bool {
        self.places.contains_key(&(number, BenchKind::Described))
    }

    /// Returns the answer of the history; git is asked at the first call.
    pub fn history(&mut self) -> Rc<Result<Findings, ToolError>> {
        if let Some(known) = &self.history {
            return Rc::clone(known);
        }
        let told = Rc::new(history::tell(self));
        Rc::clone(self.history.insert(told))
    }

    /// Returns the answer of the CI service, which is asked at the first call.
    ///
    /// # Errors
    /// Returns [`CiError`] if no service can be asked, or it does not answer.
    pub fn ci(&mut self) -> Result<Rc<ci::CiFindings>, CiError> {
        let Self {
            checkout,
            limits,
            enquiry,
            means,
            ..
        } = *self;
        self.ci
            .get_or_insert_with(|| ci::look(checkout, &means.ci, &enquiry.ci, limits).map(Rc::new))
            .clone()
    }

    /// Returns the answer of the CI service, or `None` if it was not asked or did not answer.
    pub fn ci_findings(&self) -> Option<Rc<ci::CiFindings>> {
        self.ci
            .as_ref()
            .and_then(|asked| asked.as_ref().ok())
            .map(Rc::clone)
    }

    /// Returns the path of a compiler's index, if there is one. It is asked with the visible part
    /// only.
    pub fn index_file(&self) -> Option<PathBuf> {
        index::find(self.checkout, self.means.scip.as_deref())
            .filter(|_| self.part == SurveyedPart::Visible)
    }

    /// Returns the answer of the index about all targets that name symbols; it is asked at the
    /// first call.
    ///
    /// # Errors
    /// [`Unusable`] if there is no such index.
    pub fn consult_index(&mut self, file: &Path) -> Result<Rc<Consulted>, Unusable> {
        if let Some(known) = &self.index {
            return known.clone();
        }
        // The index has symbols only, so it cannot answer for a path or a phrase.
        let names_a_symbol = |target: &QuestionTarget| {
            matches!(target.kind, TargetKind::Identifier | TargetKind::SymbolPath)
        };
        let numbers: Vec<usize> = (0..self.targets().len())
            .filter(|&number| names_a_symbol(&self.targets()[number]))
            .collect();
        let defined = |places: &Places| {
            places
                .places
                .iter()
                .filter(|place| place.relation == Relation::Defines)
                .cloned()
                .collect()
        };
        let targets = numbers
            .into_iter()
            .map(|number| {
                (
                    number,
                    &self.enquiry.targets[number],
                    defined(&self.places(number)),
                )
            })
            .collect();
        let question = index::Question {
            checkout: self.checkout,
            limits: self.limits,
            within: &self.enquiry.within,
            targets,
        };
        let said = index::consult(file, &question).map(Rc::new);
        self.index = Some(said.clone());
        said
    }

    /// Returns the answer of the index, or `None` if it was not asked.
    pub const fn index_said(&self) -> Option<&Result<Rc<Consulted>, Unusable>> {
        self.index.as_ref()
    }

    /// Returns what has been covered so far, the parses included.
    pub fn scope(&self) -> SearchScope {
        let mut scope = self
            .survey
            .as_ref()
            .map(|survey| survey.scope.clone())
            .unwrap_or_default();
        // Places of `everywhere` are additions to an answer, and what they left out weakens no
        // absence.
        let of_search = self
            .places
            .iter()
            .filter(|((_, kind), _)| *kind != BenchKind::Everywhere);
        of_search.for_each(|(_, places)| scope.merge(&places.scope));
        self.emitters
            .values()
            .for_each(|emitters| scope.merge(&emitters.scope));
        scope
    }
}
