import { isJsonObject, type JsonValue } from "../json-value.js";
import { SteppedWalk } from "../stepped-walk.js";
import { allSteps, type Steps } from "../steps.js";
import { defaultFits, defaultsFitSteps } from "./missing-defaults.js";
import { type OwnObject, ownObject, put } from "./prune.js";
import type { StructuralSchema } from "./structural-schema.js";

/**
 * Sets defaults in place, and drops nulls that are neither nullable nor defaulted. The caller must own the value. An object for which its
 * defaults are too large (`defaultsFitSteps`) stays as it is. Source: Kubernetes documentation, "Defaulting and Nullable".
 */
export function setDefaults(value: JsonValue | undefined, schema: StructuralSchema): void {
  allSteps(defaultingSteps(value, schema));
}

/** The same in steps. */
export function* defaultingSteps(value: JsonValue | undefined, schema: StructuralSchema): Steps<void> {
  if (!(yield* defaultsFitSteps(value, schema))) return;
  const walk = new SteppedWalk();
  setIn(value, schema, walk);
  yield* walk.steps();
}

/** Sets a missing member to its default, in place. */
export function setMemberDefault(value: OwnObject, name: string, schema: StructuralSchema): void {
  const property = memberSchema(schema, name);
  if (property?.default === undefined) return;
  if (Object.hasOwn(value, name) && value[name] !== undefined) return;
  if (!defaultFits(property)) return;
  const member = copyJson(property.default);
  setDefaults(member, property);
  put(value, name, member);
}

function setIn(value: JsonValue | undefined, schema: StructuralSchema, walk: SteppedWalk): void {
  if (Array.isArray(value)) {
    if (schema.items !== undefined) setInItems(value, schema.items, walk, 0);
    return;
  }
  const object = ownObject(value);
  if (object !== undefined) setMembers(object, schema, walk);
}

function setInItems(items: JsonValue[], schema: StructuralSchema, walk: SteppedWalk, from: number): void {
  for (let index = from; index < items.length; index++) {
    if (walk.isOver()) {
      walk.putOff(() => setInItems(items, schema, walk, index));
      return;
    }
    if (items[index] === null) {
      if (schema.nullable || schema.default === undefined) continue;
      items[index] = copyJson(schema.default);
    }
    setIn(items[index], schema, walk);
  }
}

function setMembers(value: OwnObject, schema: StructuralSchema, walk: SteppedWalk): void {
  for (const name in value) {
    const property = memberSchema(schema, name);
    if (property === undefined) continue;
    if (value[name] === null && !property.nullable && property.default === undefined) delete value[name];
  }
  for (const [name, property] of schema.defaultedProperties) {
    if (property.default === undefined) continue;
    const present = Object.hasOwn(value, name) ? value[name] : undefined;
    if (present === undefined || (present === null && !property.nullable)) {
      put(value, name, copyJson(property.default));
    }
  }
  let left: string[] | undefined;
  for (const name in value) {
    const member = value[name];
    if (typeof member !== "object") continue;
    if (walk.isOver()) {
      left ??= [];
      left.push(name);
    } else setInMember(value, name, schema, walk);
  }
  const names = left;
  if (names !== undefined) walk.putOff(() => setInMembers(value, names, schema, walk, 0));
}

function setInMembers(
  value: OwnObject,
  names: readonly string[],
  schema: StructuralSchema,
  walk: SteppedWalk,
  from: number,
): void {
  for (let index = from; index < names.length; index++) {
    if (walk.isOver()) {
      walk.putOff(() => setInMembers(value, names, schema, walk, index));
      return;
    }
    setInMember(value, names[index] ?? "", schema, walk);
  }
}

function setInMember(value: OwnObject, name: string, schema: StructuralSchema, walk: SteppedWalk): void {
  const property = memberSchema(schema, name);
  if (property === undefined) return;
  if (value[name] === null && !property.nullable && property.default !== undefined) {
    put(value, name, copyJson(property.default));
  }
  setIn(value[name], property, walk);
}

/** The schema of a member; undefined where it is not specified. */
export function memberSchema(schema: StructuralSchema, name: string): StructuralSchema | undefined {
  const property = schema.properties.get(name);
  if (property !== undefined) return property;
  return typeof schema.additional === "object" ? schema.additional : undefined;
}

/** A deep copy without undefined members. */
export function copyJson(value: JsonValue): JsonValue {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item: JsonValue) => copyJson(item));
  const copy: OwnObject = {};
  if (!isJsonObject(value)) return value;
  for (const name in value) {
    const member = value[name];
    if (member !== undefined) put(copy, name, copyJson(member));
  }
  return copy;
}
