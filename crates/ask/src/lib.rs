//! Question → goal → requirement → gap → plan → tool → evidence → decision →
//! answer, over one checkout.

pub mod question;

pub mod budget;
pub mod investigate;
pub mod leads;
pub mod planner;

pub mod answer;

pub use budget::Budget;
pub use investigate::{Event, Investigation, investigate};
pub use question::{Question, QuestionError, understand};
