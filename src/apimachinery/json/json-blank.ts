import type { Buffer } from "node:buffer";
import { afterString, afterValue } from "./json-member.js";

/** Members to look into, and those to drop. For a list, what applies to its items. */
export interface Blanks {
  readonly [name: string]: "blank" | Blanks;
}

/**
 * The text of a JSON object with null in place of some members, for readers that need little of a large object: a third of the time that
 * parsing it all takes. `body` is the compact text without its opening brace, the form in which objects are stored. `onCut` receives
 * where each omitted value begins and ends, in order.
 */
export function cutMembers(
  body: Buffer,
  blanks: Blanks,
  onCut: (start: number, end: number) => void,
): string {
  const kept: string[] = ["{"];
  let from = 0;
  const cut = (start: number, end: number): void => {
    kept.push(body.toString("utf8", from, start), "null");
    onCut(start, end);
    from = end;
  };
  insideObject(body, 0, blanks, cut);
  kept.push(body.toString("utf8", from));
  return kept.join("");
}

type CutOut = (start: number, end: number) => void;

/** `at` is behind the opening brace; returns the position behind the closing one. */
function insideObject(body: Buffer, start: number, blanks: Blanks, cut: CutOut): number {
  let at = start;
  while (body[at] === quote) {
    const keyEnd = afterString(body, at);
    const name = body.toString("latin1", at + 1, keyEnd - 1);
    const blank = Object.hasOwn(blanks, name) ? blanks[name] : undefined;
    const valueStart = keyEnd + 1;
    if (blank === undefined) at = afterValue(body, valueStart);
    else if (blank === "blank") {
      at = afterValue(body, valueStart);
      cut(valueStart, at);
    } else at = insideValue(body, valueStart, blank, cut);
    if (body[at] === comma) at++;
  }
  return at + 1;
}

function insideValue(body: Buffer, start: number, blanks: Blanks, cut: CutOut): number {
  if (body[start] === openingBrace) return insideObject(body, start + 1, blanks, cut);
  if (body[start] !== openingBracket) return afterValue(body, start);
  let at = start + 1;
  while (at < body.length && body[at] !== closingBracket) {
    at = insideValue(body, at, blanks, cut);
    if (body[at] === comma) at++;
  }
  return at + 1;
}

const quote = 0x22;
const comma = 0x2c;
const openingBracket = 0x5b;
const closingBracket = 0x5d;
const openingBrace = 0x7b;
