//! What the build and the test of one run share: the toolchain that was taken,
//! the private copy, and what each has shown. Made when it is first needed.

use std::rc::Rc;

use super::site::Scratch;
use super::{BuildReport, Choice, TestReport, ToolchainSite, choose};
use crate::checkout::Checkout;
use crate::limits::Limits;
use crate::obstacle::Obstacle;
use crate::tool::ToolError;

/// What the build and the test of one run share.
#[derive(Clone, Debug, Default)]
pub struct Workshop {
    choice: Option<Rc<Choice>>,
    scratch: Option<Rc<Scratch>>,
    /// What the build showed, where there was one.
    pub build: Option<Rc<BuildReport>>,
    /// What the tests showed, where they ran.
    pub test: Option<Rc<TestReport>>,
}

impl Workshop {
    /// The toolchain of the checkout.
    ///
    /// # Errors
    /// [`ToolError`] where no manifest of one is there.
    pub fn choice(
        &mut self,
        checkout: &Checkout,
        limits: &Limits,
    ) -> Result<Rc<Choice>, ToolError> {
        if self.choice.is_none() {
            self.choice = choose(checkout, limits).map(Rc::new);
        }
        let none = || {
            let manifests: Vec<&str> = super::ALL
                .iter()
                .filter_map(|toolchain| toolchain.sheet().manifests.first().copied())
                .collect();
            ToolError::refused(
                Obstacle::RunNothing,
                format!(
                    "no manifest of a known toolchain is there ({})",
                    manifests.join(", ")
                ),
            )
        };
        self.choice.clone().ok_or_else(none)
    }

    /// Works at the private copy with a new limit of time; without a sandbox only where that is accepted.
    ///
    /// # Errors
    /// What the work says, or what kept the copy from being made.
    pub fn work<T>(
        &mut self,
        checkout: &Checkout,
        limits: &Limits,
        without_sandbox: bool,
        work: impl FnOnce(&Choice, &ToolchainSite<'_>) -> Result<T, ToolError>,
    ) -> Result<T, ToolError> {
        let choice = self.choice(checkout, limits)?;
        let scratch = match &self.scratch {
            Some(scratch) => Rc::clone(scratch),
            None => Rc::clone(self.scratch.insert(Rc::new(Scratch::make(
                checkout,
                choice.toolchain.sheet(),
                &choice.folder,
                limits,
                without_sandbox,
            )?))),
        };
        work(
            &choice,
            &ToolchainSite::begin(checkout, limits, &choice.folder, &scratch),
        )
    }

    /// The manifest of the toolchain that was taken.
    pub fn manifest(&self) -> Option<&str> {
        self.choice.as_ref().map(|choice| choice.manifest.as_str())
    }

    /// Returns why this toolchain was chosen; empty if no toolchain was chosen.
    pub fn why(&self) -> &str {
        self.choice.as_ref().map_or("", |choice| &choice.why)
    }

    /// Whether everything that ran did so in a sandbox.
    pub fn is_sandboxed(&self) -> bool {
        self.scratch
            .as_ref()
            .is_none_or(|scratch| scratch.is_sandboxed())
    }
}
