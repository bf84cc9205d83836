import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { packagesOfConsole } from "./build-console.mjs";

/**
 * Prints the software bill of materials (CycloneDX, by `npm sbom`) of what a user installs, including the packages that are bundled
 * into the console. `npm sbom --omit dev` would leave out packages that a development dependency needs too, so it is given a project without
 * development dependencies.
 */
const root = new URL("../", import.meta.url);
const read = (name) => JSON.parse(readFileSync(new URL(name, root), "utf8"));
const manifest = read("package.json");
const lock = read("package-lock.json");
const built = (await packagesOfConsole()).filter((name) => name in manifest.devDependencies);
for (const name of built) {
  manifest.dependencies[name] = manifest.devDependencies[name];
  lock.packages[""].dependencies[name] = manifest.devDependencies[name];
}
delete manifest.devDependencies;
delete manifest.scripts;
delete lock.packages[""].devDependencies;
const kept = withDependencies(built);
for (const [path, entry] of Object.entries(lock.packages)) {
  if (entry.dev === true && !kept.has(path)) delete lock.packages[path];
  else delete entry.dev;
}

/** The paths in the lock file of these packages and of all their dependencies. */
function withDependencies(names) {
  const paths = new Set();
  const waiting = [...names];
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    const path = `node_modules/${name}`;
    if (paths.has(path)) continue;
    paths.add(path);
    waiting.push(...Object.keys(lock.packages[path]?.dependencies ?? {}));
  }
  return paths;
}

const temporary = mkdtempSync(join(tmpdir(), "sbom-"));
// npm names the project after its directory.
const directory = join(temporary, manifest.name);
try {
  mkdirSync(directory);
  writeFileSync(join(directory, "package.json"), JSON.stringify(manifest));
  writeFileSync(join(directory, "package-lock.json"), JSON.stringify(lock));
  const npm = process.platform === "win32" ? "npm.cmd" : "npm";
  const { status, stdout, stderr } = spawnSync(
    npm,
    ["sbom", "--sbom-format", "cyclonedx", "--package-lock-only"],
    { cwd: directory, encoding: "utf8", maxBuffer: 64 * 1024 * 1024, shell: process.platform === "win32" },
  );
  if (status !== 0) throw new Error(`npm sbom failed: ${stderr}`);
  process.stdout.write(stdout);
} finally {
  rmSync(temporary, { recursive: true, force: true });
}
