// Makes two packages of npm: `grounds`, which starts the program, and the one of a platform, which holds it.
//   node packaging/npm/pack.js BINARY TARGET FOLDER
"use strict";
const { execFileSync } = require("node:child_process");
const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");

const PLATFORMS = {
  "x86_64-linux": ["linux", "x64"],
  "aarch64-linux": ["linux", "arm64"],
  "x86_64-darwin": ["darwin", "x64"],
  "aarch64-darwin": ["darwin", "arm64"],
};
const [binary, target, out] = process.argv.slice(2);
const [system, processor] =
  PLATFORMS[target.replace(/^([^-]+)-.*(linux|darwin).*$/, "$1-$2")] ??
  (() => { throw new Error(`no npm platform is known for the target ${target}`); })();
const version = execFileSync(binary, ["--version"], { encoding: "utf8" }).trim().split(" ")[1];
const root = path.join(__dirname, "../..");
const common = {
  version,
  license: "MIT OR Apache-2.0",
  repository: { type: "git", url: "git+https://github.com/grounds-dev/grounds.git" },
  publishConfig: { access: "public" },
};
const packageOf = (os, cpu) => `@grounds-dev/${os}-${cpu}`;

function pack(manifest, files) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "grounds-npm-"));
  try {
    fs.writeFileSync(path.join(folder, "package.json"), JSON.stringify({ ...manifest, ...common }, null, 2));
    for (const file of [...files, ...["LICENSE-MIT", "LICENSE-APACHE"].map((name) => path.join(root, name))])
      fs.copyFileSync(file, path.join(folder, path.basename(file)));
    execFileSync("npm", ["pack", folder, "--silent", "--pack-destination", out], { stdio: "inherit" });
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
}

pack(
  {
    name: packageOf(system, processor),
    description: `The program of grounds for ${system} ${processor}`,
    os: [system],
    cpu: [processor],
  },
  [binary, path.join(root, "crates/grounds/THIRD-PARTY.md")],
);
pack(
  {
    name: "grounds",
    description: "Answers about code that carry their evidence. No grounds, no answer.",
    keywords: ["code-search", "code-review", "evidence", "cli", "mcp"],
    bin: { grounds: "grounds.js" },
    engines: { node: ">=18" },
    optionalDependencies: Object.fromEntries(Object.values(PLATFORMS).map((both) => [packageOf(...both), version])),
  },
  [path.join(__dirname, "grounds.js"), path.join(root, "README.md")],
);
