import { put } from "../collections/put.js";
import { isJsonObject, type JsonObject, type JsonValue } from "../json/json-value.js";
import { isJsonArray } from "../json/json-values.js";
import type { StructuralSchema } from "./structural-schema.js";

/** Called with the path of each field that is dropped: `spec.sails[0].colour`. */
export type OnUnknownField = (path: string) => void;

/**
 * A copy of `object` without the fields that its schema does not specify. Preserved unknown fields are shared with `object`. With
 * `isResource`, kind, apiVersion and metadata are kept. Source: Kubernetes documentation, "Field pruning".
 */
export function pruneObject(
  object: JsonObject,
  schema: StructuralSchema,
  isResource: boolean,
  onUnknown?: OnUnknownField,
): JsonObject {
  return new Pruning(onUnknown).object(object, schema, isResource, undefined);
}

/** The same for any value. */
export function pruneValue(
  value: JsonValue,
  schema: StructuralSchema,
  onUnknown?: OnUnknownField,
): JsonValue {
  return new Pruning(onUnknown).value(value, schema, undefined);
}

/** The path of a value, formatted only when a field is dropped. */
interface Step {
  readonly parent: Step | undefined;
  readonly step: string | number;
}

class Pruning {
  readonly #onUnknown: OnUnknownField | undefined;

  constructor(onUnknown: OnUnknownField | undefined) {
    this.#onUnknown = onUnknown;
  }

  value(
    value: JsonValue,
    schema: StructuralSchema | undefined,
    at: Step | undefined,
    keeps?: boolean,
  ): JsonValue {
    if (typeof value !== "object" || value === null) return value;
    const keepsUnknown = keeps ?? schema?.preservesUnknown ?? false;
    if (isJsonArray(value)) {
      const items = schema?.items;
      if (items === undefined && keepsUnknown) return value;
      // Items of an unspecified list are treated like the list.
      const inherits = keepsUnknown || undefined;
      return value.map((item, index) => this.value(item, items, this.#step(at, index), inherits));
    }
    return this.object(value, schema, schema?.isEmbedded ?? false, at, keepsUnknown);
  }

  object(
    object: JsonObject,
    schema: StructuralSchema | undefined,
    isResource: boolean,
    at: Step | undefined,
    keepsUnknown = schema?.preservesUnknown ?? false,
  ): JsonObject {
    const kept: OwnObject = {};
    for (const name in object) {
      const member = object[name];
      if (member === undefined) continue;
      if (isResource && (name === "metadata" || name === "kind" || name === "apiVersion")) {
        kept[name] = member;
      } else {
        this.#member(kept, name, member, schema, at, keepsUnknown);
      }
    }
    return kept;
  }

  #member(
    kept: OwnObject,
    name: string,
    member: JsonValue,
    schema: StructuralSchema | undefined,
    at: Step | undefined,
    keepsUnknown: boolean,
  ): void {
    const property = schema?.properties.get(name);
    if (property !== undefined) {
      put(kept, name, isLeaf(member) ? member : this.value(member, property, this.#step(at, name)));
    } else if (schema?.additional !== undefined) {
      const inner = typeof schema.additional === "object" ? schema.additional : undefined;
      put(kept, name, isLeaf(member) ? member : this.value(member, inner, this.#step(at, name)));
    } else if (keepsUnknown) {
      put(kept, name, member);
    } else {
      this.#onUnknown?.(pathText({ parent: at, step: name }));
    }
  }

  #step(parent: Step | undefined, step: string | number): Step | undefined {
    return this.#onUnknown === undefined ? undefined : { parent, step };
  }
}

function isLeaf(value: JsonValue): boolean {
  return typeof value !== "object" || value === null;
}

function pathText(last: Step): string {
  const steps: (string | number)[] = [];
  for (let at: Step | undefined = last; at !== undefined; at = at.parent) steps.push(at.step);
  let text = "";
  for (const step of steps.reverse()) {
    if (typeof step === "number") text += `[${step}]`;
    else text += text === "" ? step : `.${step}`;
  }
  return text;
}

/** An object that the caller created and may change. */
export interface OwnObject {
  [name: string]: JsonValue;
}

/** `value` as a mutable object, which the caller must own. Undefined for anything else. */
export function ownObject(value: JsonValue | undefined): OwnObject | undefined {
  return isJsonObject(value) ? (value as OwnObject) : undefined;
}
