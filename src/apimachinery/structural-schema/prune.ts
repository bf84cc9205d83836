import { isJsonObject, type JsonObject, type JsonValue } from "../json-value.js";
import { isJsonArray } from "../patch/json-values.js";
import { SteppedWalk } from "../stepped-walk.js";
import { allSteps, type Steps } from "../steps.js";
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
  return allSteps(pruningSteps(object, schema, isResource, onUnknown));
}

/** The same in steps. */
export function* pruningSteps(
  object: JsonObject,
  schema: StructuralSchema,
  isResource: boolean,
  onUnknown?: OnUnknownField,
): Steps<JsonObject> {
  const pruning = new Pruning(onUnknown);
  const kept = pruning.object(object, schema, isResource, undefined);
  yield* pruning.walk.steps();
  return kept;
}

export function pruneValue(
  value: JsonValue,
  schema: StructuralSchema,
  onUnknown?: OnUnknownField,
): JsonValue {
  return allSteps(valuePruningSteps(value, schema, onUnknown));
}

/** As `pruningSteps`, for any value. */
export function* valuePruningSteps(
  value: JsonValue,
  schema: StructuralSchema,
  onUnknown?: OnUnknownField,
): Steps<JsonValue> {
  const pruning = new Pruning(onUnknown);
  const kept = pruning.value(value, schema, undefined);
  yield* pruning.walk.steps();
  return kept;
}

/** The path of a value, formatted only when a field is dropped. */
interface Step {
  readonly parent: Step | undefined;
  readonly step: string | number;
}

class Pruning {
  readonly walk = new SteppedWalk();
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
      const kept: JsonValue[] = [];
      this.#items(kept, value, items, at, keepsUnknown || undefined);
      return kept;
    }
    return this.object(value, schema, schema?.isEmbedded ?? false, at, keepsUnknown);
  }

  #items(
    kept: JsonValue[],
    items: readonly JsonValue[],
    schema: StructuralSchema | undefined,
    at: Step | undefined,
    keeps: boolean | undefined,
  ): void {
    for (let index = kept.length; index < items.length; index++) {
      if (this.walk.isOver()) {
        this.walk.putOff(() => this.#items(kept, items, schema, at, keeps));
        return;
      }
      kept.push(this.value(items[index] ?? null, schema, this.#step(at, index), keeps));
    }
  }

  object(
    object: JsonObject,
    schema: StructuralSchema | undefined,
    isResource: boolean,
    at: Step | undefined,
    keepsUnknown = schema?.preservesUnknown ?? false,
  ): JsonObject {
    const kept: OwnObject = {};
    let left: string[] | undefined;
    for (const name in object) {
      const member = object[name];
      if (member === undefined) continue;
      if (isResource && (name === "metadata" || name === "kind" || name === "apiVersion")) {
        kept[name] = member;
      } else if (left !== undefined) {
        left.push(name);
      } else if (this.walk.isOver()) {
        left = [name];
      } else {
        this.#member(kept, name, member, schema, at, keepsUnknown);
      }
    }
    const names = left;
    if (names !== undefined) {
      this.walk.putOff(() => this.#members(kept, object, names, schema, at, keepsUnknown, 0));
    }
    return kept;
  }

  #members(
    kept: OwnObject,
    object: JsonObject,
    names: readonly string[],
    schema: StructuralSchema | undefined,
    at: Step | undefined,
    keepsUnknown: boolean,
    from: number,
  ): void {
    for (let index = from; index < names.length; index++) {
      if (this.walk.isOver()) {
        this.walk.putOff(() => this.#members(kept, object, names, schema, at, keepsUnknown, index));
        return;
      }
      const name = names[index] ?? "";
      this.#member(kept, name, object[name] ?? null, schema, at, keepsUnknown);
    }
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

/** Sets a member, even one named `__proto__`. */
export function put(object: OwnObject, name: string, value: JsonValue): void {
  if (name === "__proto__") {
    Object.defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true });
  } else {
    object[name] = value;
  }
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
