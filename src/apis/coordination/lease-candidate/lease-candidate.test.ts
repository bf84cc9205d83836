import { expect, test } from "vitest";
import type { JsonValue } from "../../../apimachinery/json/json-value.js";
import { testApiContext } from "../../testing/api-context.js";
import { changed, kindUnderTest } from "../../testing/kind-under-test.js";
import { leases } from "../lease/resource.js";
import { leaseCandidates } from "./resource.js";
import { compareSemver, parseSemver } from "./semantic-version.js";

const context = testApiContext({ level: "1.35", gates: { CoordinatedLeaderElection: true } });
const candidate = kindUnderTest(leaseCandidates(context));
const lease = kindUnderTest(leases(context));
const json = {
  metadata: { name: "a", namespace: "ns" },
  spec: {
    leaseName: "l",
    binaryVersion: "1.35.0",
    emulationVersion: "1.34.0",
    strategy: "OldestEmulationVersion",
  },
};

test.each([
  ["spec.leaseName", "", ["spec.leaseName: Required value"]],
  ["spec.binaryVersion", "", ["spec.binaryVersion: Required value"]],
  [
    "spec.binaryVersion",
    "1.35",
    [
      'spec.binaryVersion: Invalid value: "1.35": must be a valid semantic version',
      'spec.binaryVersion: Invalid value: "1.35": must be greater than or equal to `emulationVersion`',
    ],
  ],
  [
    "spec.emulationVersion",
    "1.36.0",
    ['spec.binaryVersion: Invalid value: "1.35.0": must be greater than or equal to `emulationVersion`'],
  ],
  [
    "spec.emulationVersion",
    undefined,
    ["spec.emulationVersion: Required value: must be specified when `strategy` is 'OldestEmulationVersion'"],
  ],
  ["spec.strategy", undefined, ["spec.strategy: Required value"]],
  ["spec.strategy", "example.org/mine", []],
  [
    "spec.strategy",
    "Mine",
    ['spec.strategy.strategy: Unsupported value: "Mine": supported values: "OldestEmulationVersion"'],
  ],
])("a candidate with %s %j", (path, value, errors) => {
  expect(candidate.create(changed(json, path, value)).errors).toEqual(errors);
});

test.each<[string, JsonValue | undefined, string[]]>([
  ["spec.preferredStrategies", undefined, []],
  [
    "spec.binaryVersion",
    "",
    ["spec.binaryVersion: Required value: must be specified when `strategy` is 'OldestEmulationVersion'"],
  ],
  [
    "spec.preferredStrategies",
    ["Mine"],
    [
      'spec.preferredStrategies[0].strategy: Unsupported value: "Mine": supported values: "OldestEmulationVersion"',
    ],
  ],
])("a candidate of 1.31 with %s %j", (path, value, errors) => {
  const gates = { CoordinatedLeaderElection: true };
  const first = kindUnderTest(leaseCandidates(testApiContext({ level: "1.31", gates })), "1.31");
  const { strategy, ...spec } = json.spec;
  const listed = { ...json, spec: { ...spec, preferredStrategies: [strategy] } };
  expect(first.create(changed(listed, path, value)).errors).toEqual(errors);
});

test("a candidate stays with its lease", () => {
  expect(candidate.update(changed(json, "spec.leaseName", "other"), json).errors).toEqual([
    'spec.leaseName: Invalid value: "other": field is immutable',
  ]);
});

test.each([
  [
    { preferredHolder: "h" },
    ["spec.preferredHolder: Forbidden: may only be specified if `strategy` is defined"],
  ],
  [{ preferredHolder: "h", strategy: "OldestEmulationVersion" }, []],
  [
    { strategy: "Mine" },
    ['spec.strategy.strategy: Unsupported value: "Mine": supported values: "OldestEmulationVersion"'],
  ],
])("a lease of %j", (spec, errors) => {
  expect(lease.create({ metadata: json.metadata, spec }).errors).toEqual(errors);
});

test("versions are ordered by number, and what comes before a release by its parts", () => {
  const ordered = [
    "1.9.0-alpha",
    "1.9.0-alpha.1",
    "1.9.0-alpha.2",
    "1.9.0-alpha.11",
    "1.9.0-beta",
    "1.9.0",
    "1.10.0",
  ];
  const compare = (a: string, b: string): number => {
    const [left, right] = [parseSemver(a), parseSemver(b)];
    return left === undefined || right === undefined ? Number.NaN : compareSemver(left, right);
  };
  expect([...ordered].reverse().sort(compare)).toEqual(ordered);
  expect(compare("1.0.0+a", "1.0.0+b")).toBe(0);
  for (const bad of ["1.0", "01.0.0", "1.0.0-01", "v1.0.0", `1.0.0-${"a".repeat(300)}`]) {
    expect(parseSemver(bad)).toBeUndefined();
  }
});
