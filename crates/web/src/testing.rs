//! Servers of this machine for tests.
