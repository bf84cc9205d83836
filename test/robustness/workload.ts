import { setTimeout as sleep } from "node:timers/promises";
import { type Operation, revisionOf, type WatchRecord, type WatchStart } from "./history.js";
import type { Random } from "./random.js";
import type { Endpoint, RecordingClient } from "./recording-client.js";

export const sides = ["left", "right"] as const;

export interface Ground {
  readonly endpoints: readonly [Endpoint, ...Endpoint[]];
  readonly keys: readonly [string, ...string[]];
  readonly baseRevision: number;
  /** Aborted when writing ends. */
  readonly writing: AbortSignal;
  /** Watches that saw this revision, or a later one, are done. Undefined until it is known. */
  finalRevision(): number | undefined;
  /** Aborted when even the slowest watch has had enough time. */
  readonly watching: AbortSignal;
}

const kinds = [
  "create",
  "update",
  "update",
  "update-at",
  "update-at",
  "delete",
  "delete-at",
  "get",
  "get",
  "get-any",
  "get-at",
  "list",
  "list-side",
  "list-paged",
  "list-any",
  "list-at",
  "list-exact",
] as const;

/** One client that sends requests, each to a random server, until writing ends. */
export async function runClient(
  name: string,
  client: RecordingClient,
  ground: Ground,
  random: Random,
): Promise<void> {
  /** The last version of each key that this client saw, which may be outdated. */
  const versions = new Map<string, number>();
  let newest = ground.baseRevision;
  let writes = 0;
  while (!ground.writing.aborted) {
    const kind = random.pick(kinds);
    const key = random.pick(ground.keys);
    const endpoint = random.pick(ground.endpoints);
    const content = { value: `${name}-${writes}`, side: random.pick(sides) };
    const operation = operationOf(kind, content, { expected: versions.get(key), newest });
    let answered = true;
    if (operation !== undefined) {
      writes++;
      const answer = await client.perform(endpoint, key, operation);
      if (answer.kind === "object") {
        versions.set(key, answer.object.revision);
        newest = Math.max(newest, answer.object.revision);
      } else if (answer.kind === "deleted" || answer.kind === "absent") versions.delete(key);
      answered = answer.kind !== "unknown" && answer.kind !== "refused";
    } else {
      const list = await client.list(endpoint, {
        read: kind === "list-any" ? "any" : kind === "list-at" || kind === "list-exact" ? newest : "recent",
        exact: kind === "list-exact",
        side: kind === "list-side" ? random.pick(sides) : undefined,
        limit: kind === "list-paged" ? random.between(1, 3) : undefined,
      });
      if (list !== undefined) newest = Math.max(newest, list.revision);
      answered = list !== undefined;
    }
    // Keeping writes of unknown outcome rare keeps the history decidable.
    await sleep(answered ? random.between(0, 8) : random.between(100, 300));
  }
}

/** Undefined for a list. A write that expects a version which the client does not know creates instead. */
function operationOf(
  kind: (typeof kinds)[number],
  content: { readonly value: string; readonly side: string },
  { expected, newest }: { readonly expected: number | undefined; readonly newest: number },
): Operation | undefined {
  switch (kind) {
    case "create":
    case "update":
      return { kind, ...content };
    case "update-at":
      return expected === undefined
        ? { kind: "create", ...content }
        : { kind: "update", ...content, expected };
    case "delete":
      return { kind };
    case "delete-at":
      return expected === undefined ? { kind: "create", ...content } : { kind: "delete", expected };
    case "get":
      return { kind, read: "recent" };
    case "get-any":
      return { kind: "get", read: "any" };
    case "get-at":
      return { kind: "get", read: newest };
    default:
      return undefined;
  }
}

export interface WatcherPlan {
  /**
   * `base`: from before the first change; `list`: from a list's version; `past`: each time from any earlier version.
   */
  readonly start: "base" | "list" | "past" | "any" | "recent";
  readonly side?: string | undefined;
  readonly bookmarks: boolean;
  /** Ends its own watches now and then, by itself or by a timeout given to the server. */
  readonly breaks: boolean;
}

/** One client that watches, resuming after every end. Returns whether it reached the final revision. */
export async function runWatcher(
  client: RecordingClient,
  plan: WatcherPlan,
  ground: Ground,
  random: Random,
): Promise<boolean> {
  let position: number | undefined = plan.start === "base" ? ground.baseRevision : undefined;
  const isFinal = (revision: number): boolean => {
    const final = ground.finalRevision();
    return final !== undefined && revision >= final;
  };
  while (!ground.watching.aborted) {
    const endpoint = random.pick(ground.endpoints);
    if (position !== undefined && plan.start === "past" && ground.finalRevision() === undefined)
      position = random.between(ground.baseRevision, position);
    if (position === undefined && plan.start !== "any" && plan.start !== "recent") {
      const list = await client.list(endpoint, { read: "recent" });
      if (list === undefined) await sleep(random.between(50, 200));
      position = list?.revision;
      continue;
    }
    // Nothing more will come.
    if (position !== undefined && isFinal(position)) return true;
    const start: WatchStart =
      position === undefined
        ? { kind: plan.start === "any" ? "any" : "recent" }
        : { kind: "exact", revision: position };
    const isBreaking = plan.breaks && ground.finalRevision() === undefined;
    const stop = isBreaking ? AbortSignal.timeout(random.between(50, 4_500)) : ground.watching;
    const watch = await client.watch(endpoint, {
      start,
      side: plan.side,
      bookmarks: plan.bookmarks,
      signal: AbortSignal.any([stop, ground.watching]),
      timeoutSeconds: isBreaking && random.chance(0.5) ? random.between(1, 4) : undefined,
      onEvent: (event) => isFinal(revisionOf(event)),
    });
    if (watch === undefined) await sleep(random.between(50, 200));
    else if (watch.end === "expired") position = undefined;
    else if (watch.end === "finished") return true;
    else position = resumePosition(watch, position);
  }
  return false;
}

/** After initial events, which come in no order, only a bookmark tells the position of the watch. */
function resumePosition(watch: WatchRecord, before: number | undefined): number | undefined {
  const last = watch.events.at(-1);
  if (last === undefined) return before;
  if (watch.start.kind === "exact" || last.type === "BOOKMARK") return revisionOf(last);
  return undefined;
}
