import { isUtf8 } from "node:buffer";
import type { Alias, CST, Pair, Scalar, YAMLMap } from "yaml";
import { parseJson } from "../json/json-parse.js";
import { JsonSyntaxError } from "../json/json-scanner.js";
import type { JsonObject, JsonValue } from "../json/json-value.js";
import { explicitNumbers, isForeign, isNumber, keyText, scalarValue } from "./yaml-scalars.js";
import { YamlSyntaxError } from "./yaml-syntax-error.js";

export type OnDuplicateKey = (key: string, line: number) => void;

/** The same limit as for JSON; also applies to expanded aliases. */
const depthMax = 1000;
/**
 * The library takes 1 KiB of stack per level. The stack must never overflow inside it: the engine ends the process if that happens
 * while it compiles a regular expression.
 */
const nestingMax = 250;
/** Values that aliases may repeat: otherwise a few lines of YAML could expand beyond all memory. */
const aliasedValuesMax = 100_000;

/**
 * The first document of a YAML text as the JSON value that Kubernetes makes of it (YAML 1.1, as its Go library reads it):
 * `yes` and `on` are booleans, dates stay text, keys become strings, a repeated key's last value counts. Throws
 * `YamlSyntaxError`.
 */
export async function parseYaml(
  bytes: Uint8Array,
  onDuplicateKey?: OnDuplicateKey | undefined,
): Promise<JsonValue> {
  if (!isUtf8(bytes)) throw new YamlSyntaxError("invalid UTF-8");
  const json = yamlAsJson(bytes, onDuplicateKey !== undefined);
  if (json !== undefined) return json;
  const yaml = await import("./yaml-library.js");
  try {
    return readDocument(yaml, bytes, onDuplicateKey);
  } catch (error) {
    // Conversion recurses with the nesting.
    if (error instanceof RangeError) throw new YamlSyntaxError("exceeded max depth");
    throw error;
  }
}

/**
 * The value when the text is JSON, as most YAML sent by programs is: the YAML library takes 200 times as long to read it (2.5 s for 1
 * MB, on the event loop). Undefined for other text, and when there are duplicates to report.
 */
export function yamlAsJson(bytes: Uint8Array, reportsDuplicates: boolean): JsonValue | undefined {
  if (bytes[0] !== openingBrace) return undefined;
  let hasDuplicates = false;
  const onDuplicateField = reportsDuplicates ? () => (hasDuplicates = true) : undefined;
  try {
    const value = parseJson(bytes, { depthMax, onDuplicateField });
    // Only the YAML library knows the lines.
    return hasDuplicates ? undefined : value;
  } catch (error) {
    // It may still be YAML in flow style.
    if (error instanceof JsonSyntaxError) return undefined;
    throw error;
  }
}

const openingBrace = 0x7b;

type YamlLibrary = typeof import("./yaml-library.js");

function readDocument(
  yaml: YamlLibrary,
  bytes: Uint8Array,
  onDuplicateKey: OnDuplicateKey | undefined,
): JsonValue {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8");
  if (forbiddenCharacter.test(text)) throw new YamlSyntaxError("control characters are not allowed");
  const composer = new yaml.Composer({
    schema: "yaml-1.1",
    version: "1.1",
    intAsBigInt: true,
    uniqueKeys: false,
    prettyErrors: false,
    logLevel: "silent",
    // Go's reader has no base 60, returns dates as written, and has its own syntax of numbers.
    customTags: (tags) => [
      ...tags.filter((tag) => typeof tag === "string" || !(isForeign(tag) || isNumber(tag))),
      ...explicitNumbers,
    ],
  });
  // Everything after the first document is ignored.
  const [document] = composer.compose(shallowTokens(yaml, text));
  if (document === undefined) return null;
  const lineAt = lineCounter(text);
  const [problem] = document.errors;
  if (problem !== undefined) {
    throw new YamlSyntaxError(`line ${lineAt(problem.pos[0])}: ${problem.message}`);
  }
  const converter = new Converter(yaml, text, (key, at) => onDuplicateKey?.(key, lineAt(at)));
  return document.contents === null ? null : converter.value(document.contents, 0);
}

/** The tokens of a text, provided its nesting does not exceed the library's recursion. */
function* shallowTokens(yaml: YamlLibrary, text: string): Iterable<CST.Token> {
  const parser = new yaml.Parser();
  for (const lexeme of new yaml.Lexer().lex(text)) {
    yield* parser.next(lexeme);
    if (parser.stack.length > nestingMax) throw new YamlSyntaxError("exceeded max depth");
  }
  yield* parser.end();
}

/** All but tabs and the ends of lines. */
const forbiddenCharacter = /(?![\t\n\r\x85])\p{Cc}|[\uFFFE\uFFFF]/u;

/** Returns the line of an offset, from 1. The text is scanned once, on the first call. */
function lineCounter(text: string): (offset: number) => number {
  let breaks: readonly number[] | undefined;
  return (offset) => {
    breaks ??= [...text.matchAll(/\n/g)].map(({ index }) => index);
    let low = 0;
    let high = breaks.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((breaks[middle] ?? 0) < offset) low = middle + 1;
      else high = middle;
    }
    return low + 1;
  };
}

class Converter {
  readonly #yaml: YamlLibrary;
  readonly #text: string;
  /** The library would search for each alias's anchor from the start of the document. */
  readonly #anchors = new Map<string, unknown>();
  /** With the position of the value, which is the one that Kubernetes names. */
  readonly #onDuplicate: (key: string, at: number) => void;
  #aliasDepth = 0;
  #aliasedValues = 0;

  constructor(yaml: YamlLibrary, text: string, onDuplicate: (key: string, at: number) => void) {
    this.#yaml = yaml;
    this.#text = text;
    this.#onDuplicate = onDuplicate;
  }

  value(node: unknown, depth: number): JsonValue {
    if (depth > depthMax) throw new YamlSyntaxError("exceeded max depth");
    if (this.#aliasDepth > 0 && ++this.#aliasedValues > aliasedValuesMax) {
      throw new YamlSyntaxError("document contains excessive aliasing");
    }
    const yaml = this.#yaml;
    if (yaml.isAlias(node)) return this.#aliased(node, depth);
    this.#remember(node);
    if (yaml.isMap(node)) return this.#object(node, depth);
    if (yaml.isSeq(node)) {
      return node.items.map((item) => this.value(item, depth + 1));
    }
    return yaml.isScalar(node) ? this.#scalar(node) : null;
  }

  #scalar(node: Scalar): JsonValue {
    const value = scalarValue(node);
    return typeof value === "string" && this.#lacksLineBreak(node, value) ? value.slice(0, -1) : value;
  }

  /** The library ends a block with a line break even if the text has none at its end. */
  #lacksLineBreak({ type, range }: Scalar, value: string): boolean {
    const text = this.#text;
    if (type !== "BLOCK_LITERAL" && type !== "BLOCK_FOLDED") return false;
    if (range === undefined || range === null || range[1] < text.length || !value.endsWith("\n"))
      return false;
    const lastLine = text.slice(text.lastIndexOf("\n") + 1).trimStart();
    return lastLine !== "" && value.endsWith(`${lastLine}\n`);
  }

  #aliased(alias: Alias, depth: number): JsonValue {
    const target = this.#target(alias);
    this.#aliasDepth++;
    const value = this.value(target, depth + 1);
    this.#aliasDepth--;
    return value;
  }

  #target(alias: Alias): unknown {
    const target = this.#anchors.get(alias.source);
    if (target === undefined) throw new YamlSyntaxError(`unknown anchor '${alias.source}' referenced`);
    return target;
  }

  /** An alias refers to the last anchor of its name before it. */
  #remember(node: unknown): void {
    if (this.#aliasDepth > 0 || !this.#yaml.isNode(node) || !("anchor" in node)) return;
    if (typeof node.anchor === "string") this.#anchors.set(node.anchor, node);
  }

  #object(map: YAMLMap, depth: number): JsonObject {
    const own = new Map<string, JsonValue>();
    const merged = new Map<string, JsonValue>();
    for (const pair of map.items) {
      const name = this.#keyName(pair);
      if (name === "<<" && this.#isPlain(pair.key)) {
        this.#merge(pair.value, merged, depth);
        continue;
      }
      const value = this.value(pair.value, depth + 1);
      if (own.has(name)) this.#onDuplicate(name, this.#placeOf(pair));
      own.set(name, value);
    }
    for (const [name, value] of merged) if (!own.has(name)) own.set(name, value);
    // `fromEntries` defines its members: a key named __proto__ stays a key. Kubernetes' reader sorts them.
    return Object.fromEntries([...own].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  #merge(source: unknown, into: Map<string, JsonValue>, depth: number): void {
    const sources = this.#yaml.isSeq(source) ? source.items : [source];
    for (const each of sources) {
      const value = this.value(each, depth + 1);
      if (typeof value !== "object" || value === null || Array.isArray(value)) {
        throw new YamlSyntaxError("map merge requires map or sequence of maps as the value");
      }
      for (const [name, member] of Object.entries(value)) if (!into.has(name)) into.set(name, member);
    }
  }

  #placeOf({ key, value }: Pair): number {
    for (const node of [value, key]) {
      if (this.#yaml.isNode(node) && node.range) return node.range[0];
    }
    return 0;
  }

  #keyName(pair: Pair): string {
    const key = this.#yaml.isAlias(pair.key) ? this.#target(pair.key) : pair.key;
    this.#remember(key);
    if (!this.#yaml.isScalar(key)) throw new YamlSyntaxError("a map key must be a scalar");
    return keyText(key);
  }

  #isPlain(key: unknown): boolean {
    return this.#yaml.isScalar(key) && key.type === "PLAIN";
  }
}
