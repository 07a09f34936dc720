//! What the build and the tests of one run share: the chosen toolchain, the private copy, and the
//! result of each. Made when it is first needed.

use std::rc::Rc;

use super::site::Scratch;
use super::{BuildReport, Choice, TestReport, ToolchainSite, choose};
use crate::checkout::Checkout;
use crate::limits::Limits;
use crate::obstacle::Obstacle;
use crate::tool::ToolError;

/// What the build and the tests of one run share.
#[derive(Clone, Debug, Default)]
pub struct Workshop {
    choice: Option<Rc<Choice>>,
    scratch: Option<Rc<Scratch>>,
    /// The result of the build; `None` without one.
    pub build: Option<Rc<BuildReport>>,
    /// The result of the tests; `None` if they did not run.
    pub test: Option<Rc<TestReport>>,
}

impl Workshop {
    /// Returns the toolchain of the checkout.
    ///
    /// # Errors
    /// [`ToolError`] if there is no manifest of a toolchain.
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

    /// Works in the private copy with a new time limit; without a sandbox only if that is accepted.
    ///
    /// # Errors
    /// The error of the work, or of making the copy.
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

    /// Returns the manifest of the chosen toolchain.
    pub fn manifest(&self) -> Option<&str> {
        self.choice.as_ref().map(|choice| choice.manifest.as_str())
    }

    /// Returns why this toolchain was chosen; empty if no toolchain was chosen.
    pub fn why(&self) -> &str {
        self.choice.as_ref().map_or("", |choice| &choice.why)
    }

    /// Reports whether everything that ran did so in a sandbox.
    pub fn is_sandboxed(&self) -> bool {
        self.scratch
            .as_ref()
            .is_none_or(|scratch| scratch.is_sandboxed())
    }
}
