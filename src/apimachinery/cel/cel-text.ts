import { Buffer } from "node:buffer";
import { type CelBudget, CelRuntimeError } from "./cel-error.js";
import type { CelList } from "./cel-value.js";
import { perPart, perPoint, perText } from "./function-rules.js";

const surrogate = /[\ud800-\udfff]/;

/** The code points of a text; for most texts they are its units. */
export function points(text: string, budget: CelBudget): ArrayLike<string> {
  if (!surrogate.test(text)) return text;
  budget.spend(text.length * perPoint);
  return [...text];
}

export function pointCount(text: string): number {
  if (!surrogate.test(text)) return text.length;
  let count = 0;
  for (const _point of text) count++;
  return count;
}

export function within(index: bigint, length: number): number {
  if (index < 0n || index > BigInt(length)) throw new CelRuntimeError(`index out of range: ${index}`);
  return Number(index);
}

export function indexIn(text: string, part: string, from: bigint, budget: CelBudget): bigint {
  const all = points(text, budget);
  const start = within(from, all.length);
  if (part === "") return from;
  if (typeof all === "string") return BigInt(all.indexOf(part, start));
  const units = sliceOf(all, 0, start).length;
  const found = text.indexOf(part, units);
  return found < 0 ? -1n : BigInt(pointCount(text.slice(0, found)));
}

export function lastIndexIn(text: string, part: string, from: bigint | undefined, budget: CelBudget): bigint {
  const all = points(text, budget);
  const start = within(from ?? BigInt(all.length), all.length);
  if (part === "") return BigInt(start);
  const found = text.lastIndexOf(part, sliceOf(all, 0, start).length);
  return found < 0 ? -1n : BigInt(pointCount(text.slice(0, found)));
}

export function slice(text: string, from: bigint, to: bigint | undefined, budget: CelBudget): string {
  const all = points(text, budget);
  const start = within(from, all.length);
  const end = within(to ?? BigInt(all.length), all.length);
  if (start > end) throw new CelRuntimeError(`invalid substring range. start: ${start}, end: ${end}`);
  return sliceOf(all, start, end);
}

function sliceOf(all: ArrayLike<string>, start: number, end: number): string {
  return typeof all === "string" ? all.slice(start, end) : Array.from(all).slice(start, end).join("");
}

export const lowerA = 0x61;
export const upperA = 0x41;
const letters = 26;

/** The ASCII letters from `from` on become those from `to` on. */
export function shiftLetters(text: string, from: number, to: number): string {
  const units = Buffer.from(text, "utf16le");
  for (let at = 0; at < units.length; at += 2) {
    const letter = (units[at] ?? 0) - from;
    if (units[at + 1] === 0 && letter >= 0 && letter < letters) units[at] = to + letter;
  }
  return units.toString("utf16le");
}

export function replace(text: string, from: string, to: string, limit: bigint, budget: CelBudget): string {
  if (limit === 0n) return text;
  if (from === "" && text === "") return to;
  const isBounded = limit > 0n;
  // An empty text is found before each code point, and at the end.
  const found = from === "" ? limit : limit + 1n;
  const parts = splitText(text, from, isBounded ? found : -1n, budget);
  budget.spend((text.length + parts.length * to.length) * perText);
  const made = parts.join(to);
  if (from !== "") return made;
  return isBounded && BigInt(parts.length) === limit ? to + made : to + made + to;
}

/** At most `limit` parts, unless it is negative; by code points if `by` is empty. */
export function splitText(text: string, by: string, limit: bigint, budget: CelBudget): string[] {
  if (limit === 0n) return [];
  const partsMax = limit < 0n ? Number.POSITIVE_INFINITY : Number(limit);
  if (by === "") return splitPoints(text, partsMax, budget);
  const parts: string[] = [];
  let from = 0;
  for (;;) {
    const end = parts.length + 1 < partsMax ? text.indexOf(by, from) : -1;
    if (end < 0) {
      parts.push(text.slice(from));
      return parts;
    }
    budget.spend(perPart);
    parts.push(text.slice(from, end));
    from = end + by.length;
  }
}

function splitPoints(text: string, partsMax: number, budget: CelBudget): string[] {
  const all = points(text, budget);
  const whole = all.length <= partsMax ? all.length : partsMax - 1;
  budget.spend(whole * perPart);
  const parts = Array.from({ length: whole }, (_, index) => all[index] ?? "");
  if (whole < all.length) parts.push(sliceOf(all, whole, all.length));
  return parts;
}

export function join(list: CelList, by: string, budget: CelBudget): string {
  const parts = [...list.values()].map((value) => {
    if (typeof value !== "string") throw new CelRuntimeError("join(): the list must hold texts only");
    budget.spend((value.length + by.length) * perText);
    return value;
  });
  return parts.join(by);
}

/** White space of Unicode, which unlike that of JavaScript has the next line and not the byte order mark. */
const space = /[^\S\ufeff]|\u0085/;

/** Without white space at both ends. */
export function trimmed(text: string): string {
  let [from, to] = [0, text.length];
  while (from < to && space.test(text.charAt(from))) from++;
  while (to > from && space.test(text.charAt(to - 1))) to--;
  return text.slice(from, to);
}
