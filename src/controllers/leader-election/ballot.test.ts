import { expect, test } from "vitest";
import type { LeaseCandidate, LeaseCandidateSpec } from "../../apis/gen/coordination-v1beta1.js";
import { nextStep } from "./ballot.js";
import { candidateValidMs, microTime } from "./election.js";

const now = Date.parse("2026-01-02T03:04:05Z");
const ago = (ms: number) => microTime(now - ms);

function candidate(name: string, spec: Partial<LeaseCandidateSpec> = {}): LeaseCandidate {
  return {
    metadata: { name, creationTimestamp: ago(60_000) },
    spec: {
      leaseName: "l",
      binaryVersion: "1.35.0",
      emulationVersion: "1.35.0",
      strategy: "OldestEmulationVersion",
      renewTime: ago(1000),
      ...spec,
    },
  };
}

const held = (holderIdentity: string, renewedMs = 1000) => ({
  metadata: {},
  spec: { holderIdentity, leaseDurationSeconds: 5, renewTime: ago(renewedMs) },
});

const elected = (holder: string | undefined, strategy = "OldestEmulationVersion") => ({
  kind: "elect",
  strategy,
  holder,
});

test("the oldest emulation version wins, then the oldest binary, then the oldest candidate", () => {
  const young = { ...candidate("young"), metadata: { name: "young", creationTimestamp: ago(10) } };
  const oldProgram = candidate("old-program", { binaryVersion: "1.35.0-rc.1" });
  const emulates = candidate("emulates", { binaryVersion: "1.36.0", emulationVersion: "1.34.0" });
  expect(nextStep([young, candidate("old")], undefined, now)).toEqual(elected("old"));
  expect(nextStep([candidate("old"), oldProgram], undefined, now)).toEqual(elected("old-program"));
  expect(nextStep([candidate("old"), oldProgram, emulates], undefined, now)).toEqual(elected("emulates"));
});

test("the newest program decides on the strategy", () => {
  const other = candidate("b", { binaryVersion: "1.36.0", strategy: "example.org/mine" });
  expect(nextStep([candidate("a"), other], undefined, now)).toEqual(elected(undefined, "example.org/mine"));
  expect(() =>
    nextStep(
      [candidate("a"), { ...other, spec: { ...other.spec, binaryVersion: "1.35.0" } }],
      undefined,
      now,
    ),
  ).toThrow(
    "candidates a and b have the same binary version, and the strategies OldestEmulationVersion and example.org/mine",
  );
});

test("candidates that have not renewed recently are pinged first, and ignored when they do not answer", () => {
  const quiet = candidate("quiet", { renewTime: ago(60_000) });
  expect(nextStep([candidate("a"), quiet], undefined, now)).toEqual({ kind: "ping", candidates: [quiet] });
  const asked = (ms: number) =>
    candidate("asked", { renewTime: ago(60_000), pingTime: ago(ms), emulationVersion: "1.30.0" });
  expect(nextStep([candidate("a"), asked(1000)], undefined, now)).toEqual({ kind: "nothing" });
  expect(nextStep([candidate("a"), asked(6000)], undefined, now)).toEqual(elected("a"));
  expect(nextStep([asked(6000)], undefined, now)).toEqual({ kind: "nothing" });
});

test("a lease that the best candidate holds is left alone until it expires", () => {
  expect(nextStep([candidate("a")], held("a"), now)).toEqual({ kind: "nothing" });
  expect(nextStep([candidate("a")], held("a", 6000), now)).toEqual(elected("a"));
  expect(nextStep([candidate("a")], held(""), now)).toEqual(elected("a"));
  expect(nextStep([candidate("a")], held("b"), now)).toEqual(elected("a"));
});

test("candidates renew before they expire", () => {
  const stale = candidate("a", { renewTime: ago(candidateValidMs / 2 + 1) });
  expect(nextStep([stale], held("a"), now)).toEqual({ kind: "ping", candidates: [stale] });
});
