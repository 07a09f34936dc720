#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| grounds_fuzz::sarif(bytes));
