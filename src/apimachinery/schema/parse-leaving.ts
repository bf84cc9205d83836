import type { Buffer } from "node:buffer";
import { type Blanks, cutMembers } from "../json/json-blank.js";
import { parseJson } from "../json/json-parse.js";
import type { JsonValue } from "../json/json-value.js";
import { UnreadMember } from "./deferred-member.js";

/**
 * Parses an object except for some members, which stay text: their types declare them as `deferred`. `body` is the object's compact
 * JSON, as this server prints it, without the opening brace.
 */
export function parseLeaving(body: Buffer, members: Blanks): JsonValue {
  const unread: UnreadMember[] = [];
  const text = cutMembers(body, members, (start, end) => {
    unread.push(new UnreadMember(body.toString("utf8", start, end)));
  });
  const value = parseJson(text);
  place(value, members, unread.values());
  return value;
}

/** Puts the members back where they were cut out, in the same order. */
function place(value: unknown, members: Blanks, unread: Iterator<UnreadMember>): void {
  if (Array.isArray(value)) {
    for (const item of value) place(item, members, unread);
    return;
  }
  if (typeof value !== "object" || value === null) return;
  for (const [name, member] of Object.entries(value)) {
    const inner = Object.hasOwn(members, name) ? members[name] : undefined;
    if (inner === undefined) continue;
    if (inner === "blank") Reflect.set(value, name, unread.next().value);
    else place(member, inner, unread);
  }
}
