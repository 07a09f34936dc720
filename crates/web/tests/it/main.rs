//! The crate from outside, against a web and engines of this machine.
