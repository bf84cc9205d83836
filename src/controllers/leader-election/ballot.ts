import { oldestEmulationVersion } from "../../apis/coordination/lease-strategy.js";
import type { Lease } from "../../apis/gen/coordination-v1.js";
import type { LeaseCandidate } from "../../apis/gen/coordination-v1beta1.js";
import {
  candidateValidMs,
  isLeaseExpired,
  pickOldestEmulationVersion,
  pickStrategy,
  timeOf,
} from "./election.js";

/** How long candidates have to answer, and how long their answer is valid. */
const answerMs = 5000;

/** The next step of an election. */
export type Step =
  | { readonly kind: "nothing" }
  | { readonly kind: "ping"; readonly candidates: readonly LeaseCandidate[] }
  | { readonly kind: "elect"; readonly strategy: string; readonly holder: string | undefined };

const nothing: Step = { kind: "nothing" };

/**
 * An election is recorded only in the objects: candidates are pinged, those that then renew have answered, and one of these is elected.
 * Throws when candidates contradict each other.
 */
export function nextStep(candidates: readonly LeaseCandidate[], lease: Lease | undefined, now: number): Step {
  if (candidates.length === 0 || !isElectionNeeded(candidates, lease, now)) return nothing;
  const states = candidates.map((candidate) => ({ candidate, answer: answerOf(candidate, now) }));
  const unasked = states.filter(({ answer }) => answer === "unasked").map(({ candidate }) => candidate);
  if (unasked.length > 0) return { kind: "ping", candidates: unasked };
  if (states.some(({ answer }) => answer === "awaited")) return nothing;
  const answered = states.filter(({ answer }) => answer === "given").map(({ candidate }) => candidate);
  if (answered.length === 0) return nothing;
  const strategy = pickStrategy(answered);
  // With any other strategy, the lease gets no holder: its own coordinator elects.
  const isOurs = strategy === oldestEmulationVersion;
  const holder = isOurs ? pickOldestEmulationVersion(answered)?.metadata.name : undefined;
  return isOurs && holder === undefined ? nothing : { kind: "elect", strategy, holder };
}

function isElectionNeeded(
  candidates: readonly LeaseCandidate[],
  lease: Lease | undefined,
  now: number,
): boolean {
  if (lease === undefined || isLeaseExpired(lease, now)) return true;
  const { holderIdentity = "" } = lease.spec;
  if (holderIdentity === "") return true;
  // An occasional election makes all candidates renew before they expire.
  const isStale = ({ spec }: LeaseCandidate) => (timeOf(spec.renewTime) ?? now) + candidateValidMs / 2 < now;
  if (candidates.some(isStale)) return true;
  if (pickStrategy(candidates) !== oldestEmulationVersion) return false;
  const best = pickOldestEmulationVersion(candidates);
  return best !== undefined && best.metadata.name !== holderIdentity;
}

/** `missing`: it was pinged, and has not answered in time. */
function answerOf({ spec }: LeaseCandidate, now: number): "given" | "awaited" | "unasked" | "missing" {
  const [pinged, renewed] = [timeOf(spec.pingTime), timeOf(spec.renewTime)];
  const hasAnswered = pinged === undefined || (renewed !== undefined && renewed >= pinged);
  if (!hasAnswered && pinged + answerMs > now) return "awaited";
  if (renewed !== undefined && renewed + answerMs > now) return "given";
  return hasAnswered ? "unasked" : "missing";
}
