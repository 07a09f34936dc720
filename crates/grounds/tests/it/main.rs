//! The program as a whole, from outside.

mod hostile;
mod support;
