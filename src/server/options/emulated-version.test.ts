import { expect, test } from "vitest";
import { parseOptions } from "./parse-options.js";

function run(...argv: readonly string[]) {
  const parsed = parseOptions(argv, { profile: "kubernetes" });
  if (parsed.kind === "error") return parsed.message;
  if (parsed.kind !== "run") throw new Error(parsed.kind);
  const { apiLevel, emulatedVersion } = parsed.options;
  return [apiLevel, emulatedVersion?.own];
}

test.each([
  ["1.31", "1.30"],
  ["1.32", "1.31"],
  ["1.33", "1.31"],
  ["1.34", "1.31"],
  ["1.36", "1.33"],
  ["1.36", "1.36"],
])("a server of %s may behave as one of %s", (own, emulated) => {
  expect(run(`--api-level=${own}`, `--emulated-version=${emulated}`)).toEqual([emulated, own]);
  expect(run(`--api-level=${own}`, `--emulated-version=kube=${emulated}`)).toEqual([emulated, own]);
  expect(run(`--emulated-version=kube=${emulated}.0`, `--api-level=${own}`)).toEqual([emulated, own]);
});

test.each([
  ["1.30", "1.30", "unknown option at API level 1.30: it was added in 1.31"],
  ["1.32", "1.30", "emulation version 1.30 is not between [1.31, 1.32.0]"],
  ["1.33", "1.30", "emulation version 1.30 is not between [1.31, 1.33.0]"],
  ["1.36", "1.32", "emulation version 1.32 is not between [1.33, 1.36.0]"],
  ["1.35", "1.36", "emulation version 1.36 is not between [1.32, 1.35.0]"],
  ["1.36", "1.35.1", "patch version not allowed, got: kube=1.35.1"],
  ["1.36", "wardle=1.35", "component not registered: wardle"],
  ["1.36", "new", 'could not parse "new" as version'],
  ["1.36", "1.35,kube=1.34", "duplicate version flag, kube=1.35 and kube=1.34"],
])("at %s, %s is refused", (own, emulated, problem) => {
  expect(run(`--api-level=${own}`, `--emulated-version=${emulated}`)).toBe(`--emulated-version: ${problem}`);
});

test.each([
  ["1.35", [], "1.32", undefined],
  ["1.36", [], "1.36", undefined],
  ["1.36", ["--emulated-version=1.34"], "1.33", undefined],
  ["1.36", ["--emulated-version=1.34"], "1.35", "1.35 is not between [1.33, 1.34]"],
  ["1.36", [], "1.32", "1.32 is not between [1.33, 1.36]"],
])("at %s with %o, other servers of the cluster may have %s", (own, more, oldest, problem) => {
  const said = run(`--api-level=${own}`, ...more, `--min-compatibility-version=kube=${oldest}`);
  if (problem === undefined) expect(said).toBeInstanceOf(Array);
  else expect(said).toBe(`--min-compatibility-version: minCompatibilityVersion version ${problem}`);
});

test("gates and other options are judged by the version that they belong to", () => {
  const emulating = ["--api-level=1.36", "--emulated-version=1.33"];
  expect(run(...emulating, "--min-compatibility-version=1.33")).toEqual(["1.33", "1.36"]);
  expect(run(...emulating, "--feature-gates=ListFromCacheSnapshot=true")).toEqual(["1.33", "1.36"]);
  expect(run(...emulating, "--feature-gates=DetectCacheInconsistency=true")).toContain(
    "DetectCacheInconsistency",
  );
  expect(run("--api-level=1.34", "--min-compatibility-version=1.33")).toContain("unknown option");
  expect(run("--api-level=1.27", "--peer-ca-file=x")).toContain("unknown option at API level 1.27");
  expect(run("--api-level=1.31", "--service-account-signing-endpoint=/x")).toContain("it was added in 1.32");
  expect(run("--api-level=1.28", "--peer-ca-file=x", "--peer-advertise-ip=1.2.3.4")).toEqual([
    "1.28",
    undefined,
  ]);
});
