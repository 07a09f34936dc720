#!/usr/bin/env node
// Starts the program that npm installed for this platform.
"use strict";
const { spawn } = require("node:child_process");
const { constants } = require("node:os");

const platform = `@grounds-dev/${process.platform}-${process.arch}`;
let binary;
try {
  binary = require.resolve(`${platform}/grounds`);
} catch {
  console.error(
    `grounds: cannot find the package ${platform}: it was not installed, or there is none for this platform. ` +
      "Install again without --omit=optional, or build with `cargo install --locked grounds`.",
  );
  process.exit(1);
}
const child = spawn(binary, process.argv.slice(2), { stdio: "inherit" });
// A terminal sends an interrupt to both processes; the other signals reach only this one.
process.on("SIGINT", () => {});
for (const signal of ["SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
child.on("error", (error) => {
  console.error(`grounds: cannot start ${binary}: ${error.message}`);
  process.exit(1);
});
child.on("exit", (code, signal) => process.exit(signal ? 128 + constants.signals[signal] : code));
