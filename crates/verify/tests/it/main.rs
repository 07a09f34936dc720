//! The crate from outside: the laws of the decision, pages of cases.

mod attacks;
mod families;
mod histories;
mod http;
mod laws;
mod times;
mod wire;
