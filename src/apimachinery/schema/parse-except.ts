import type { Buffer } from "node:buffer";
import { type Blanks, cutMembers } from "../json/json-blank.js";
import { parseJson } from "../json/json-parse.js";
import type { JsonValue } from "../json/json-value.js";
import { DeferredMember } from "./deferred-member.js";

/**
 * Parses an object except for some members, which stay text: their types declare them as `deferred`. `body` is the object's compact
 * JSON, as this server prints it, without the opening brace.
 */
export function parseExcept(body: Buffer, members: Blanks): JsonValue {
  const deferred: DeferredMember[] = [];
  const text = cutMembers(body, members, (start, end) => {
    deferred.push(new DeferredMember(body.toString("utf8", start, end)));
  });
  const value = parseJson(text);
  place(value, members, deferred.values());
  return value;
}

/** Puts the members back where they were cut out, in the same order. */
function place(value: unknown, members: Blanks, deferred: Iterator<DeferredMember>): void {
  if (Array.isArray(value)) {
    for (const item of value) place(item, members, deferred);
    return;
  }
  if (typeof value !== "object" || value === null) return;
  for (const [name, member] of Object.entries(value)) {
    const inner = Object.hasOwn(members, name) ? members[name] : undefined;
    if (inner === undefined) continue;
    if (inner === "blank") Reflect.set(value, name, deferred.next().value);
    else place(member, inner, deferred);
  }
}
