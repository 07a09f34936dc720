//! Question to answer.
