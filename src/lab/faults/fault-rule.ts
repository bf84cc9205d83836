import { type LabelSelector, parseLabelSelector } from "../../apimachinery/selectors/label-selector.js";
import { parseDuration } from "../../apimachinery/values/duration.js";
import { matchesAny } from "../../apimachinery/values/wildcards.js";
import type { FaultEffect, FaultFrequency, FaultMatch, FaultSpec } from "./fault-spec.js";

/** The request attributes that rules match. */
export interface FaultTarget {
  readonly user: string;
  readonly userAgent: string;
  readonly verb: string;
  readonly group: string;
  /** The resource with its subresource: `pods/status`. */
  readonly resource: string;
  readonly namespace: string;
  readonly name: string;
  /** Whether the request allows an answer that is not the newest. */
  readonly mayBeOld: boolean;
}

export interface TimedEffect extends Omit<FaultEffect, "delay" | "webhookDelay"> {
  readonly delayMs: number;
  readonly webhookDelayMs: number;
}

/** A rule in force, which counts the requests that match and those that it hits. */
export class FaultRule {
  readonly name: string;
  readonly effect: TimedEffect;
  readonly selector: LabelSelector | undefined;
  readonly isForWebhooks: boolean;
  readonly #matches: (target: FaultTarget) => boolean;
  readonly #webhooks: (name: string) => boolean;
  readonly #when: FaultFrequency;
  #met = 0;
  #hits = 0;

  /** Throws a `RangeError` that says what is wrong with it. */
  constructor(name: string, { match = {}, when = {}, effect }: FaultSpec) {
    this.name = name;
    this.effect = timed(effect);
    this.isForWebhooks = this.effect.webhookDelayMs > 0;
    this.selector = match.labelSelector === undefined ? undefined : parsedSelector(match.labelSelector);
    this.#matches = matcher(match);
    this.#webhooks = pattern(match.webhooks);
    this.#when = when;
    if (when.share !== undefined && !(when.share >= 0 && when.share <= 1)) {
      throw new RangeError(`when.share: from 0 to 1, not ${when.share}`);
    }
  }

  get hits(): number {
    return this.#hits;
  }

  matches(target: FaultTarget): boolean {
    return (this.effect.staleBy === undefined || target.mayBeOld) && this.#matches(target);
  }

  matchesWebhook(name: string): boolean {
    return this.#webhooks(name);
  }

  /** Whether the matching request is one that it hits. */
  meets(): boolean {
    const { nth, every, share, seed = 1, times } = this.#when;
    const number = ++this.#met;
    if (times !== undefined && this.#hits >= times) return false;
    if (nth !== undefined && number !== nth) return false;
    if (every !== undefined && number % every !== 0) return false;
    if (share !== undefined && chance(seed, number) >= share) return false;
    this.#hits++;
    return true;
  }
}

function timed({ delay, webhookDelay, ...rest }: FaultEffect): TimedEffect {
  const kinds = ["status", "cut", "watch", "staleBy", "queueFull", "tokenExpired"] as const;
  const given = kinds.filter((kind) => rest[kind] !== undefined && rest[kind] !== false);
  if (given.length > 1) throw new RangeError(`effect: one of ${given.join(", ")}, not all`);
  if (given.length === 0 && delay === undefined && webhookDelay === undefined) {
    throw new RangeError("effect: says nothing");
  }
  return {
    ...rest,
    delayMs: milliseconds("delay", delay),
    webhookDelayMs: milliseconds("webhookDelay", webhookDelay),
  };
}

function milliseconds(field: string, text: string | undefined): number {
  if (text === undefined) return 0;
  const nanoseconds = parseDuration(text);
  if (nanoseconds === undefined || nanoseconds < 0n) {
    throw new RangeError(`effect.${field}: not a duration such as 2s: ${JSON.stringify(text)}`);
  }
  return Number(nanoseconds) / 1e6;
}

function parsedSelector(text: string): LabelSelector {
  try {
    return parseLabelSelector(text);
  } catch {
    throw new RangeError(`match.labelSelector: not a selector: ${JSON.stringify(text)}`);
  }
}

function matcher(match: FaultMatch): (target: FaultTarget) => boolean {
  const fields = [
    ["user", match.users],
    ["userAgent", match.userAgents],
    ["verb", match.verbs],
    ["group", match.groups],
    ["resource", match.resources],
    ["namespace", match.namespaces],
    ["name", match.names],
  ] as const;
  const conditions = fields
    .filter(([, patterns]) => patterns !== undefined)
    .map(([field, patterns]) => ({ field, holds: pattern(patterns) }));
  return (target) => conditions.every(({ field, holds }) => holds(target[field]));
}

/** Undefined matches anything. */
function pattern(patterns: readonly string[] | undefined): (text: string) => boolean {
  return patterns === undefined ? () => true : (text) => matchesAny(patterns, text);
}

/** A pseudo-random number from 0 to 1, by seed and sequence number. Source: the finalizer of MurmurHash3. */
export function chance(seed: number, number: number): number {
  let hash = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(number, 0xc2b2ae35);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32;
}
