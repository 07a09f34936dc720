//! The bench that the tools of one run work at: the checkout, the targets, and
//! what has been read already, so that the tree is passed over once.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use grounds_evidence::{Relation, Target, TargetKind};

use crate::checkout::Checkout;
use crate::enquiry::Enquiry;
use crate::index::{self, Consulted, Unusable};
use crate::labels::{self, Place, Places};
use crate::limits::Limits;
use crate::means::Means;
use crate::needles::Needles;
use crate::role;
use crate::scope::Scope;
use crate::survey::{self, Part, Progress, Survey};

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
    needles: Needles,
    part: Part,
    survey: Option<Rc<Survey>>,
    places: BTreeMap<(usize, Kind), Rc<Places>>,
    index: Option<Result<Rc<Consulted>, Unusable>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Labelled,
    Described,
}

impl<'a> Bench<'a> {
    /// A bench over the visible part of a checkout.
    pub fn new(checkout: &'a Checkout, limits: &'a Limits, enquiry: &'a Enquiry, means: &'a Means, progress: &'a Progress) -> Self {
        Self {
            checkout,
            limits,
            enquiry,
            means,
            progress,
            needles: Needles::of_targets(&enquiry.targets),
            part: Part::Visible,
            survey: None,
            places: BTreeMap::new(),
            index: None,
        }
    }

    /// The same bench over what the first part left out.
    pub fn over_hidden_and_ignored(&self) -> Self {
        let Self { checkout, limits, enquiry, means, progress, .. } = *self;
        Self { part: Part::HiddenAndIgnored, ..Self::new(checkout, limits, enquiry, means, progress) }
    }

    /// What the question is about.
    pub fn targets(&self) -> &'a [Target] {
        &self.enquiry.targets
    }

    /// What the one pass over the tree saw; made at the first call.
    pub fn survey(&mut self) -> Rc<Survey> {
        let (checkout, targets, limits) = (self.checkout, self.targets(), self.limits);
        let (part, progress, within, needles) = (self.part, self.progress, &self.enquiry.within, &self.needles);
        let make = || {
            let mut seen = survey::survey(checkout, targets, needles, part, limits, progress);
            if !within.is_everything() {
                seen.files.retain(|file| within.holds(&file.path, role::of(&file.path)));
                seen.names.iter_mut().for_each(|names| names.retain(|(_, path)| within.holds(path, role::of(path))));
            }
            Rc::new(seen)
        };
        Rc::clone(self.survey.get_or_insert_with(make))
    }

    /// The labelled places of a target.
    pub fn places(&mut self, number: usize) -> Rc<Places> {
        let survey = self.survey();
        let (checkout, needles, target, limits) = (self.checkout, &self.needles, &self.targets()[number], self.limits);
        let make = || Rc::new(labels::label(checkout, &survey, needles, number, target, limits));
        Rc::clone(self.places.entry((number, Kind::Labelled)).or_insert_with(make))
    }

    /// The places of a target in some files: those known already, else a parse of these files only.
    pub fn places_in(&mut self, number: usize, paths: &[&str]) -> Vec<Place> {
        if let Some(known) = self.places.get(&(number, Kind::Labelled)) {
            return known.places.clone();
        }
        let survey = self.survey();
        labels::label_some(self.checkout, &survey, &self.needles, number, &self.targets()[number], self.limits, paths)
    }

    /// The definitions that a phrase describes.
    pub fn described(&mut self, number: usize) -> Rc<Places> {
        let survey = self.survey();
        let (checkout, target, limits) = (self.checkout, &self.targets()[number], self.limits);
        let make = || Rc::new(labels::described(checkout, &survey, number, target, limits));
        Rc::clone(self.places.entry((number, Kind::Described)).or_insert_with(make))
    }

    /// Whether the definitions that a phrase describes were looked for.
    pub fn has_described(&self, number: usize) -> bool {
        self.places.contains_key(&(number, Kind::Described))
    }

    /// Where a compiler's index lies, if one does. It is asked with the visible part only.
    pub fn index_file(&self) -> Option<PathBuf> {
        index::find(self.checkout, self.means.scip.as_deref()).filter(|_| self.part == Part::Visible)
    }

    /// What the index says of all targets that name symbols; asked at the first call.
    ///
    /// # Errors
    /// [`Unusable`] when there is no such index.
    pub fn consult_index(&mut self, file: &Path) -> Result<Rc<Consulted>, Unusable> {
        if let Some(known) = &self.index {
            return known.clone();
        }
        let names_a_symbol = |target: &Target| matches!(target.kind, TargetKind::Identifier | TargetKind::SymbolPath);
        let numbers: Vec<usize> = (0..self.targets().len()).filter(|&number| names_a_symbol(&self.targets()[number])).collect();
        let defined = |places: &Places| places.places.iter().filter(|place| place.relation == Relation::Defines).cloned().collect();
        let targets = numbers.into_iter().map(|number| (number, &self.enquiry.targets[number], defined(&self.places(number)))).collect();
        let question = index::Question { checkout: self.checkout, limits: self.limits, within: &self.enquiry.within, targets };
        let said = index::consult(file, &question).map(Rc::new);
        self.index = Some(said.clone());
        said
    }

    /// What the index said, where it was asked.
    pub const fn index_said(&self) -> Option<&Result<Rc<Consulted>, Unusable>> {
        self.index.as_ref()
    }

    /// What has been covered so far, the parses included.
    pub fn scope(&self) -> Scope {
        let mut scope = self.survey.as_ref().map(|survey| survey.scope.clone()).unwrap_or_default();
        self.places.values().for_each(|places| scope.merge(&places.scope));
        scope
    }
}
