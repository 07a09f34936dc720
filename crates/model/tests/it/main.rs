//! The crate against a scripted server.
