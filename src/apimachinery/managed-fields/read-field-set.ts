import { unparsedText } from "../json/json-print.js";
import { isJsonObject, type JsonValue } from "../json/json-value.js";
import { type FieldSet, leaf, type MutableFieldSet, selfElement, unionNodes } from "./field-set.js";
import { parsePathElement } from "./path-element.js";

/** Parses `fieldsV1`. Throws an `Error` for anything that is not a set. */
export function parseFieldSet(value: JsonValue): FieldSet {
  if (!isJsonObject(value)) throw new Error("a field set must be an object");
  const unread = unparsedText(value);
  return unread === undefined ? parseNode(value) : new SetReader(unread).read();
}

function parseNode(value: JsonValue): FieldSet {
  if (!isJsonObject(value)) throw new Error("a field set must be an object");
  let result: MutableFieldSet | undefined;
  for (const text in value) {
    result ??= new Map();
    if (text === selfElement) {
      result.set(selfElement, leaf);
      continue;
    }
    add(result, text, parseNode(value[text] ?? null));
  }
  return result === undefined ? leaf : plainest(result);
}

/** Clients may write a leaf as `{".": {}}`. */
function plainest(set: FieldSet): FieldSet {
  return set.size === 1 && set.has(selfElement) ? leaf : set;
}

/** Elements of a kind that does not exist yet are left out, as Kubernetes leaves them out. */
const unknownKind = /^[^fikv]:/;

function add(set: MutableFieldSet, text: string, node: FieldSet): void {
  if (unknownKind.test(text)) return;
  const element = text.startsWith("f:") ? text : parsePathElement(text);
  const existing = set.get(element);
  set.set(element, existing === undefined ? node : unionNodes(existing, node));
}

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const colon = 0x3a;
const openingBrace = 0x7b;
const closingBrace = 0x7d;

/** Parses the printed text of a set, without building a JSON value. */
class SetReader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  read(): FieldSet {
    const set = this.#leaf() ?? this.#node();
    if (this.#at !== this.#text.length) throw new Error("text after a field set");
    return set;
  }

  /** Reads `{}`, as most sets are; otherwise returns undefined and reads nothing. */
  #leaf(): FieldSet | undefined {
    const isLeaf =
      this.#text.charCodeAt(this.#at) === openingBrace &&
      this.#text.charCodeAt(this.#at + 1) === closingBrace;
    if (!isLeaf) return undefined;
    this.#at += 2;
    return leaf;
  }

  #node(): FieldSet {
    this.#expect(openingBrace);
    const set: MutableFieldSet = new Map();
    for (;;) {
      const element = this.#string();
      this.#expect(colon);
      const node = this.#leaf() ?? this.#node();
      if (element === selfElement) set.set(selfElement, leaf);
      else add(set, element, node);
      if (this.#text.charCodeAt(this.#at) !== comma) break;
      this.#at++;
    }
    this.#expect(closingBrace);
    return plainest(set);
  }

  #string(): string {
    const text = this.#text;
    const start = this.#at;
    this.#expect(quote);
    let end = text.indexOf('"', this.#at);
    while (end >= 0 && this.#isEscaped(end)) end = text.indexOf('"', end + 1);
    if (end < 0) throw new Error("a field set ends within a name");
    this.#at = end + 1;
    const plain = text.slice(start + 1, end);
    if (!plain.includes("\\")) return plain;
    const name: string = JSON.parse(text.slice(start, end + 1));
    return name;
  }

  /** Whether the character is escaped, by an odd number of backslashes before it. */
  #isEscaped(at: number): boolean {
    let count = 0;
    while (this.#text.charCodeAt(at - 1 - count) === backslash) count++;
    return count % 2 === 1;
  }

  #expect(code: number): void {
    if (this.#text.charCodeAt(this.#at) !== code) throw new Error("a field set is an object of objects");
    this.#at++;
  }
}
