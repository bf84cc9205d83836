import { exceeds, measureJson } from "../apimachinery/json/json-size.js";
import { isJsonObject, type JsonObject, type JsonValue } from "../apimachinery/json/json-value.js";
import { parseJsonInTurns } from "../event-loop/parse-json.js";
import { nextTurn, turnIfRoundIsOver } from "../event-loop/turns.js";

/** The document of all built-in types and operations has 67,000, and none of its definitions or paths more than 251. */
const valuesMax = 400_000;
/** A definition, a path with its operations, or a shared part is copied, compared and printed in one step each. */
const partBounds = { valuesMax: 25_000, membersMax: 25_000 };
/** Shared parameters and responses are copied into each operation of the served document. */
const inlinedMax = { inAll: 16 * 1024 * 1024, inOnePath: 1024 * 1024 };

/** A document that would take too much memory, or block other requests. The message says why. */
export class RefusedDocument extends Error {}

/** Parses an OpenAPI document of an extension server, in turns. Undefined for anything but a JSON object. Throws `RefusedDocument`. */
export async function readExtensionDocument(bytes: Uint8Array): Promise<JsonObject | undefined> {
  await nextTurn();
  if (measureJson(bytes).values > valuesMax) {
    throw new RefusedDocument(`it has more than ${valuesMax} fields and items`);
  }
  let document: JsonValue;
  try {
    document = await parseJsonInTurns(bytes);
  } catch {
    return undefined;
  }
  if (!isJsonObject(document)) return undefined;
  await checkParts(document);
  return document;
}

async function checkParts(document: JsonObject): Promise<void> {
  const { definitions, paths, parameters, responses } = document;
  for (const [section, parts] of Object.entries({ definitions, parameters, responses })) {
    if (!isJsonObject(parts)) continue;
    for (const name in parts) {
      if (exceeds(parts[name] ?? null, partBounds)) throw tooLarge(`${section} ${name}`);
      await turnIfRoundIsOver();
    }
  }
  const sizes = new SharedSizes(document);
  let inlined = 0;
  if (!isJsonObject(paths)) return;
  for (const path in paths) {
    const item = paths[path] ?? null;
    if (exceeds(item, partBounds)) throw tooLarge(`path ${path}`);
    const referred = sizes.referredIn(item);
    inlined += referred;
    if (inlined > inlinedMax.inAll) throw repeatsTooMuch("its operations refer", inlinedMax.inAll);
    if (referred > inlinedMax.inOnePath) {
      throw repeatsTooMuch(`path ${path.slice(0, 200)} refers`, inlinedMax.inOnePath);
    }
    await turnIfRoundIsOver();
  }
}

function repeatsTooMuch(who: string, max: number): RefusedDocument {
  return new RefusedDocument(
    `${who} to more than ${max} characters of shared parameters and responses, counting each reference`,
  );
}

function tooLarge(what: string): RefusedDocument {
  return new RefusedDocument(`${what.slice(0, 200)} has more than ${partBounds.valuesMax} fields and items`);
}

/** Lengths of a document's shared parameters and responses as JSON. */
class SharedSizes {
  readonly #document: JsonObject;
  readonly #sizes = new Map<string, number>();

  constructor(document: JsonObject) {
    this.#document = document;
  }

  /** Length of everything that a path item refers to, itself and in its operations. */
  referredIn(item: JsonValue): number {
    if (!isJsonObject(item)) return 0;
    let size = this.#ofList(item.parameters);
    for (const name in item) {
      const operation = item[name];
      if (!isJsonObject(operation)) continue;
      size += this.#ofList(operation.parameters);
      if (isJsonObject(operation.responses)) size += this.#ofList(Object.values(operation.responses));
    }
    return size;
  }

  #ofList(parts: JsonValue | undefined): number {
    if (!Array.isArray(parts)) return 0;
    let size = 0;
    for (const part of parts as readonly JsonValue[]) {
      if (isJsonObject(part) && typeof part.$ref === "string") size += this.#of(part.$ref);
    }
    return size;
  }

  #of(reference: string): number {
    let size = this.#sizes.get(reference);
    if (size === undefined) {
      size = this.#measure(reference);
      this.#sizes.set(reference, size);
    }
    return size;
  }

  #measure(reference: string): number {
    const [, section = "", name = ""] = /^#\/(parameters|responses)\/(.*)$/s.exec(reference) ?? [];
    const parts = this.#document[section];
    if (!isJsonObject(parts) || !Object.hasOwn(parts, name)) return 0;
    return JSON.stringify(parts[name], (_key, each: unknown) =>
      typeof each === "bigint" ? String(each) : each,
    ).length;
  }
}
