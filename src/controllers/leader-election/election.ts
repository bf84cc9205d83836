import { microTimestamp } from "../../apimachinery/values/time.js";
import {
  compareSemver,
  parseSemver,
  type SemanticVersion,
} from "../../apis/coordination/lease-candidate/semantic-version.js";
import type { Lease } from "../../apis/gen/coordination-v1.js";
import type { LeaseCandidate } from "../../apis/gen/coordination-v1beta1.js";

/** A candidate that has not renewed for this long takes no part in elections. */
export const candidateValidMs = 30 * 60_000;

const none: SemanticVersion = { numbers: [0n, 0n, 0n], prerelease: [] };

/** The strategy of the candidates with the newest program. Throws when they do not agree. */
export function pickStrategy(candidates: readonly LeaseCandidate[]): string {
  let best: { name: string; strategy: string; version: SemanticVersion } | undefined;
  for (const { metadata, spec } of candidates) {
    const { name = "" } = metadata;
    const { strategy = "" } = spec;
    const version = parseSemver(spec.binaryVersion) ?? none;
    const order = best === undefined ? -1 : compareSemver(best.version, version);
    if (order < 0) best = { name, strategy, version };
    else if (order === 0 && best !== undefined && best.strategy !== strategy) {
      throw new Error(
        `candidates ${best.name} and ${name} have the same binary version, and the strategies ${best.strategy} and ${strategy}`,
      );
    }
  }
  return best?.strategy ?? "";
}

/** By oldest emulation version, then oldest binary version, then age. Leaves out candidates with invalid versions. */
export function pickOldestEmulationVersion(
  candidates: readonly LeaseCandidate[],
): LeaseCandidate | undefined {
  let best: Ranked | undefined;
  for (const candidate of candidates) {
    const rank = rankOf(candidate);
    if (rank !== undefined && (best === undefined || isBefore(rank, best))) best = rank;
  }
  return best?.candidate;
}

interface Ranked {
  readonly candidate: LeaseCandidate;
  readonly emulation: SemanticVersion;
  readonly binary: SemanticVersion;
  readonly createdAt: number;
}

function rankOf(candidate: LeaseCandidate): Ranked | undefined {
  const { metadata, spec } = candidate;
  const emulation = parseSemver(spec.emulationVersion ?? "");
  const binary = parseSemver(spec.binaryVersion);
  if (emulation === undefined || binary === undefined) return undefined;
  return { candidate, emulation, binary, createdAt: timeOf(metadata.creationTimestamp) ?? 0 };
}

function isBefore(a: Ranked, b: Ranked): boolean {
  const order = compareSemver(a.emulation, b.emulation) || compareSemver(a.binary, b.binary);
  return order < 0 || (order === 0 && a.createdAt < b.createdAt);
}

export function isLeaseExpired({ spec: { renewTime, leaseDurationSeconds } }: Lease, now: number): boolean {
  const renewed = timeOf(renewTime);
  if (renewed === undefined || leaseDurationSeconds === undefined) return true;
  return renewed + leaseDurationSeconds * 1000 < now;
}

export function isCandidateExpired({ spec }: LeaseCandidate, now: number): boolean {
  const renewed = timeOf(spec.renewTime);
  return renewed === undefined || renewed + candidateValidMs < now;
}

/** Milliseconds since the epoch. */
export function timeOf(time: string | undefined): number | undefined {
  return time === undefined ? undefined : Date.parse(time);
}

/** `2026-01-02T03:04:05.678000Z` */
export function microTime(milliseconds: number): string {
  return microTimestamp(new Date(milliseconds));
}
