import { JsonSyntaxError, parseJson, parsePlainJson } from "./json-parse.js";
import type { JsonValue } from "./json-value.js";
import { put } from "./schema/object-members.js";
import type { Steps } from "./steps.js";

/** The engine's parser takes about a millisecond for as many characters. */
const pieceLength = 64 * 1024;
/** Shorter texts are parsed at once. */
const wholeLength = 2 * pieceLength;

/**
 * As `parseJson`, in steps if the text is compact: the engine's parser reads runs of members, which are put together. Another text, and one
 * that is malformed, is parsed at once.
 */
export function* parsingSteps(text: string): Steps<JsonValue> {
  if (text.length > wholeLength) {
    try {
      const value = yield* new PieceParser(text).parse();
      if (value !== undefined) return value;
    } catch (error) {
      if (!(error instanceof JsonSyntaxError)) throw error;
    }
    yield;
  }
  return parseJson(text);
}

const quote = 0x22;
const comma = 0x2c;
const colon = 0x3a;
const backslash = 0x5c;
const openingBracket = 0x5b;
const closingBracket = 0x5d;
const openingBrace = 0x7b;
const closingBrace = 0x7d;

/** A list or an object that is being read. */
interface Container {
  isObject: boolean;
  /** Of its bracket. */
  from: number;
  /** Where the first member begins that has not been parsed yet, and where the last one begins. */
  unparsedAt: number;
  memberAt: number;
  /** Whether the last member has been parsed for itself. */
  isMemberParsed: boolean;
  /** What has been parsed; undefined while the whole may yet be parsed with what is around it. */
  value: JsonValue[] | { [name: string]: JsonValue } | undefined;
}

/** Text that is nested deeper is not parsed in pieces. */
const levelsMax = 500;

class PieceParser {
  readonly #text: string;
  /** The innermost is at `#depth - 1`; those behind it are reused, because there are as many as values. */
  readonly #containers: Container[] = [];
  #depth = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** Undefined for a text that cannot be parsed in pieces. Throws `JsonSyntaxError` for some of them. */
  *parse(): Steps<JsonValue | undefined> {
    const text = this.#text;
    let stepEnd = pieceLength;
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (code === quote) at = endOfString(text, at);
      else if (code === openingBrace || code === openingBracket) {
        if (this.#depth === levelsMax) return undefined;
        this.#enter(at, code === openingBrace);
      } else if (code === comma) this.#endMember(this.#innermost(), at);
      else if (code === closingBrace || code === closingBracket) {
        const value = this.#leave(at, code === closingBrace);
        if (this.#depth === 0) return at === text.length - 1 ? value : undefined;
      }
      if (at > stepEnd) {
        yield;
        stepEnd = at + pieceLength;
      }
    }
    return undefined;
  }

  #innermost(): Container {
    const container = this.#containers[this.#depth - 1];
    if (container === undefined) throw new JsonSyntaxError("no bracket is open");
    return container;
  }

  #enter(from: number, isObject: boolean): void {
    const at = from + 1;
    const known = this.#containers[this.#depth++];
    if (known === undefined) {
      const container = {
        isObject,
        from,
        unparsedAt: at,
        memberAt: at,
        isMemberParsed: false,
        value: undefined,
      };
      this.#containers.push(container);
      return;
    }
    known.isObject = isObject;
    known.from = from;
    known.unparsedAt = at;
    known.memberAt = at;
    known.isMemberParsed = false;
    known.value = undefined;
  }

  /** `at` is that of a comma. */
  #endMember(container: Container, at: number): void {
    if (!container.isMemberParsed && at - container.unparsedAt > pieceLength) {
      this.#parseUntil(container, at);
      container.isMemberParsed = true;
    }
    if (container.isMemberParsed) container.unparsedAt = at + 1;
    container.memberAt = at + 1;
    container.isMemberParsed = false;
  }

  /** The value of the container that ends at `end`, if it was parsed for itself. */
  #leave(end: number, isObject: boolean): JsonValue | undefined {
    const container = this.#innermost();
    if (container.isObject !== isObject) throw new JsonSyntaxError("another bracket is open");
    const isOwn =
      container.value !== undefined || this.#depth === 1 || end - container.unparsedAt > pieceLength;
    if (isOwn && !container.isMemberParsed) this.#parseUntil(container, end);
    this.#depth--;
    const { value } = container;
    if (value !== undefined && this.#depth > 0) this.#place(this.#innermost(), container.from, end, value);
    return value;
  }

  /** Adds a member that was parsed for itself. */
  #place(container: Container, from: number, end: number, value: JsonValue): void {
    const next = this.#text.charCodeAt(end + 1);
    if (next !== comma && next !== closingBrace && next !== closingBracket)
      throw new JsonSyntaxError("no comma after a value");
    const { memberAt, isObject } = container;
    if (memberAt > container.unparsedAt) this.#parseUntil(container, memberAt - 1);
    if (isObject) {
      if (this.#text.charCodeAt(from - 1) !== colon) throw new JsonSyntaxError("a member without a name");
      const name = parseJson(this.#text.slice(memberAt, from - 1));
      if (typeof name !== "string") throw new JsonSyntaxError("a name is a text");
      this.#add(container, { [name]: value });
    } else {
      if (memberAt !== from) throw new JsonSyntaxError("no comma before a value");
      this.#add(container, [value]);
    }
    container.isMemberParsed = true;
  }

  #parseUntil(container: Container, end: number): void {
    const slice = this.#text.slice(container.unparsedAt, end);
    // After a comma.
    if (slice === "" && container.value !== undefined) throw new JsonSyntaxError("no value after a comma");
    const text = container.isObject ? `{${slice}}` : `[${slice}]`;
    const parsed = parsePlainJson(text) ?? parseJson(text);
    this.#add(container, parsed as NonNullable<Container["value"]>); // by its brackets
  }

  #add(container: Container, parsed: NonNullable<Container["value"]>): void {
    const { value } = container;
    if (value === undefined) container.value = parsed;
    else if (Array.isArray(value)) for (const item of parsed as JsonValue[]) value.push(item);
    else {
      const members = parsed as { readonly [name: string]: JsonValue };
      for (const name in members) put(value, name, members[name]);
    }
  }
}

/** Of the string that opens at `at`: where its closing quote is. */
function endOfString(text: string, at: number): number {
  for (let end = text.indexOf('"', at + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let escapes = 0;
    while (text.charCodeAt(end - 1 - escapes) === backslash) escapes++;
    if (escapes % 2 === 0) return end;
  }
  return text.length;
}
