import { signal } from "@preact/signals";
import { at, type Json, listAt, numberAt, textAt } from "./json.ts";
import { getObject, send } from "./request.ts";

export interface LabClock {
  /** The server's time at the moment of the request. */
  readonly nowMs: number;
  /** This machine's time at that moment. */
  readonly askedAtMs: number;
  readonly isFrozen: boolean;
}

/** Undefined where the server has no lab, or the user may not use it. */
export const labClock = signal<LabClock | undefined>(undefined);

/** A server with a lab has its own clock. Ages are computed from it. */
export async function findLab(): Promise<void> {
  try {
    readClock(await getObject("/lab/clock"));
  } catch {
    labClock.value = undefined;
  }
}

/** The time of the server's clock, or of this machine when the server has no lab. */
export function serverNow(): number {
  const clock = labClock.value;
  if (clock === undefined) return Date.now();
  return clock.isFrozen ? clock.nowMs : clock.nowMs + Date.now() - clock.askedAtMs;
}

export type ClockChange = { readonly by: string } | "freeze" | "resume";

export async function changeClock(change: ClockChange): Promise<void> {
  const path = typeof change === "string" ? change : `advance?${new URLSearchParams({ by: change.by })}`;
  await send(`/lab/clock/${path}`, { method: "POST" });
  readClock(await getObject("/lab/clock"));
}

/** Snapshots of the store, and servers that were started from one. */
export interface LabItem {
  readonly name: string;
  /** When a snapshot was taken, or the URL of a fork. */
  readonly about: string;
}

export async function labItems(kind: "snapshots" | "forks"): Promise<readonly LabItem[]> {
  const list = await getObject(`/lab/${kind}`);
  return listAt(list, "items").map((item) => ({
    name: textAt(item, "name"),
    about: textAt(item, "createdAt") || textAt(item, "url"),
  }));
}

/** A rule that makes some requests fail or wait, as in a cluster in trouble. */
export interface Fault {
  readonly name: string;
  readonly hits: number;
}

/** The names of the server's built-in sets of fault rules. */
export const stormNames = ["informer", "conflicts", "overload", "network"];

export interface Faults {
  /** The rules of storms are included. */
  readonly rules: readonly Fault[];
  readonly storms: readonly string[];
}

export async function labFaults(): Promise<Faults> {
  const [rules, storms] = await Promise.all([getObject("/lab/faults"), getObject("/lab/storms")]);
  return {
    rules: listAt(rules, "items").map((item) => ({
      name: textAt(item, "name"),
      hits: numberAt(item, "hits"),
    })),
    storms: listAt(storms, "items").map((item) => textAt(item, "storm")),
  };
}

export async function beginStorm(name: string, userAgent: string): Promise<void> {
  const query = userAgent === "" ? "" : `?${new URLSearchParams({ userAgent })}`;
  await send(`/lab/storms/${name}${query}`, { method: "POST" });
}

export async function endStorm(name: string): Promise<void> {
  await send(`/lab/storms/${name}`, { method: "DELETE" });
}

export async function takeSnapshot(name: string): Promise<void> {
  const query = name === "" ? "" : `?${new URLSearchParams({ name })}`;
  await send(`/lab/snapshots${query}`, { method: "POST" });
}

/** Rewinds the server; returns its message, which says how much has changed. */
export async function rewind(name: string): Promise<Json> {
  const answer = await send(`/lab/snapshots/${encodeURIComponent(name)}/rewind`, { method: "POST" });
  const body: Json = await answer.json();
  return body;
}

export async function fork(snapshot: string): Promise<void> {
  const query = snapshot === "" ? "" : `?${new URLSearchParams({ snapshot })}`;
  await send(`/lab/forks${query}`, { method: "POST" });
}

export async function remove(kind: "snapshots" | "forks", name: string): Promise<void> {
  await send(`/lab/${kind}/${encodeURIComponent(name)}`, { method: "DELETE" });
}

function readClock(body: Json): void {
  labClock.value = {
    nowMs: Date.parse(textAt(body, "now")),
    askedAtMs: Date.now(),
    isFrozen: at(body, "frozen") === true,
  };
}
