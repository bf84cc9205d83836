import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";

/**
 * Runs the unit, end-to-end, program, matrix and soak tests under newer versions of Node.js. Each runtime is an npm package, installed into a
 * temporary folder. Arguments go to the test runner: `npm run test:runtimes -- src/storage`.
 */
const versions = ["22.23.3", "24.21.0", "26.10.0"];
const [projects, rest] = [
  ["unit", "e2e", "programs", "matrix", "soak"].map((name) => `--project=${name}`),
  process.argv.slice(2),
];

const directory = mkdtempSync(join(tmpdir(), "runtimes-"));
process.once("exit", () => rmSync(directory, { recursive: true, force: true }));

const failed = [];
for (const version of versions) {
  const name = `node-${process.platform}-${process.arch}`;
  const prefix = join(directory, version);
  execFileSync("npm", ["install", "--no-save", "--silent", "--prefix", prefix, `${name}@${version}`]);
  const node = join(prefix, "node_modules", name, "bin", "node");
  const running = execFileSync(node, ["--version"], { encoding: "utf8" }).trim();
  console.log(`\n${running}: ${[...projects, ...rest].join(" ")}`);
  const { status } = spawnSync(node, ["node_modules/vitest/vitest.mjs", "run", ...projects, ...rest], {
    stdio: "inherit",
    // Tests that start "node" get the same runtime.
    env: { ...process.env, PATH: `${dirname(node)}${delimiter}${process.env.PATH ?? ""}` },
  });
  if (status !== 0) failed.push(running);
}
if (failed.length > 0) {
  console.error(`\ntests failed under ${failed.join(" and ")}`);
  process.exit(1);
}
