import type { JsonObject } from "../api/json.ts";
import { session } from "./session.ts";

/** What a user made of an object's text and has not applied. */
export interface Draft {
  readonly text: string;
  /** The object that it was begun from; undefined for a new one. */
  readonly base: JsonObject | undefined;
}

/** By user and object. They outlive the view: another tab of the object, another page, and the end of the session. */
const drafts = new Map<string, Draft>();

export function draftOf(object: string): Draft | undefined {
  return drafts.get(keyOf(object));
}

/** Undefined when it was applied or discarded. */
export function keepDraft(object: string, draft: Draft | undefined): void {
  if (draft === undefined) drafts.delete(keyOf(object));
  else drafts.set(keyOf(object), draft);
}

export function forgetDrafts(): void {
  drafts.clear();
}

/** Before the page is left for good, the browser asks. */
export function guardDrafts(): void {
  addEventListener("beforeunload", (event) => {
    if (drafts.size > 0) event.preventDefault();
  });
}

function keyOf(object: string): string {
  const current = session.value;
  return JSON.stringify([current === undefined || current === "unknown" ? "" : current.user, object]);
}
