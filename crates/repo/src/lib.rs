//! The tools over a checkout.
