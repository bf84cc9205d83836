import type { JsonObject } from "../api/json.ts";
import { session } from "./session.ts";

/** Text of an object that a user has edited and not applied. */
export interface Draft {
  readonly text: string;
  /** The object that the draft started from; undefined for a new one. */
  readonly base: JsonObject | undefined;
}

/** Drafts by user and object. They outlive the view, a change of page, and the session. */
const drafts = new Map<string, Draft>();

export function draftOf(object: string): Draft | undefined {
  return drafts.get(keyOf(object));
}

/** Undefined when the draft was applied or discarded. */
export function keepDraft(object: string, draft: Draft | undefined): void {
  if (draft === undefined) drafts.delete(keyOf(object));
  else drafts.set(keyOf(object), draft);
}

export function forgetDrafts(): void {
  drafts.clear();
}

/** Makes the browser ask before the page is left. */
export function guardDrafts(): void {
  addEventListener("beforeunload", (event) => {
    if (drafts.size > 0) event.preventDefault();
  });
}

function keyOf(object: string): string {
  const current = session.value;
  return JSON.stringify([current === undefined || current === "unknown" ? "" : current.user, object]);
}
