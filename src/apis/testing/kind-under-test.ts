import { type FieldError, FieldPath } from "../../apimachinery/errors/field-error.js";
import { isJsonObject, type JsonObject, type JsonValue } from "../../apimachinery/json/json-value.js";
import type { ApiLevel } from "../../apimachinery/levels/api-level.js";
import type { ApiObject } from "../../apimachinery/objects/meta.js";
import { validateObjectMeta } from "../../apimachinery/validation/object-meta.js";
import { definitionAtLevel } from "../definition/definition-at-level.js";
import {
  convertFromHub,
  convertToHub,
  hubVersion,
  type ResourceDefinition,
  type VersionDefinition,
} from "../definition/resource-definition.js";
import type { Strategy, WriteContext } from "../definition/strategy.js";
import { testWriteContext } from "./api-context.js";

export interface Outcome<T> {
  readonly object: T;
  /** `field: message`, in order. */
  readonly errors: readonly string[];
}

/** Writes objects through a kind's strategies as the registry does, without validating metadata and without storing. */
export interface KindUnderTest<T extends ApiObject> {
  /** Decodes JSON of one of the kind's versions (default: the first) with defaults, and converts it to the hub. */
  decode(json: JsonValue, version?: string): T;
  /** JSON of a hub object in one of the kind's versions. */
  encode(object: T, version?: string): JsonValue;
  create(json: JsonValue, write?: Partial<WriteContext>): Outcome<T>;
  /** `part` names a subresource. */
  update(json: JsonValue, old: JsonValue, part?: string, write?: Partial<WriteContext>): Outcome<T>;
  /** Cells of the table row at 2022-01-01T00:00:00Z. */
  cells(json: JsonValue): JsonValue[];
}

/** With the versions, subresources and columns of all levels, unless one is given. */
export function kindUnderTest<T extends ApiObject>(
  ofAllLevels: ResourceDefinition<T>,
  level?: ApiLevel,
): KindUnderTest<T> {
  const definition = level === undefined ? ofAllLevels : definitionAtLevel(ofAllLevels, level);
  if (definition === undefined) throw new Error(`${ofAllLevels.kind} is not of level ${level}`);
  const versionNamed = (name: string | undefined): VersionDefinition<T> => {
    const version = definition.versions.find((v) => name === undefined || v.version === name);
    if (version === undefined) throw new Error(`${definition.kind} has no version ${name}`);
    return version;
  };
  const decode = (json: JsonValue, name?: string): T => {
    const version = versionNamed(name);
    const object = version.codec.fromJson(json, {
      onUnknownField: (path) => {
        throw new Error(`${definition.kind} has no field ${path}`);
      },
    });
    version.setDefaults(object);
    return convertToHub(version, object);
  };
  const strategyOf = (part: string | undefined): Strategy<T> => {
    if (part === undefined) return definition.strategy;
    const found = definition.subresources.find(({ name }) => name === part);
    if (found?.kind !== "part") throw new Error(`${definition.kind} has no part ${part}`);
    return found.strategy;
  };
  return {
    decode,
    encode(object, name) {
      const version = versionNamed(name);
      const form = convertFromHub(version, object);
      return JSON.parse(version.codec.toJson(form));
    },
    create(json, write) {
      const context = testWriteContext(write);
      const object = decode(json, write?.version);
      hubVersion(definition).gatedFields?.drop(object);
      definition.strategy.prepareForCreate(context, object);
      const errors = definition.strategy.validate(context, object);
      return { object, errors: errorTexts([...nameErrors(definition, object), ...errors]) };
    },
    update(json, oldJson, part, write) {
      const context = testWriteContext(write);
      const strategy = strategyOf(part);
      const object = decode(json, write?.version);
      const old = decode(oldJson, write?.version);
      if (strategy.keepsGatedFields !== true) hubVersion(definition).gatedFields?.drop(object, old);
      strategy.prepareForUpdate(context, object, old);
      return { object, errors: errorTexts(strategy.validateUpdate(context, object, old)) };
    },
    cells(json) {
      if (definition.columns === undefined) throw new Error(`${definition.kind} has the default table`);
      return definition.columns.cells(decode(json), new Date("2022-01-01T00:00:00Z"));
    },
  };
}

/** The registry validates metadata. Where names follow from the rest of the object, they belong to the rules of the kind. */
function nameErrors<T extends ApiObject>(
  { strategy, namespaced }: ResourceDefinition<T>,
  object: T,
): FieldError[] {
  const validateName = strategy.namesOf?.(object);
  if (validateName === undefined) return [];
  return validateObjectMeta(object.metadata, { namespaced, validateName }, FieldPath.of("metadata"));
}

export function errorTexts(errors: readonly FieldError[]): string[] {
  return errors.map(({ field, body }) => `${field}: ${body}`);
}

/** A copy of `json` in which the field at `path` (`spec.rules.0.host`) is changed or removed. */
export function changed(json: JsonObject, path: string, value: JsonValue | undefined): JsonObject {
  const [head = "", ...tail] = path.split(".");
  const entries = new Map<string, JsonValue>(Object.entries(json));
  const next = tail.length === 0 ? value : changedWithin(entries.get(head), tail.join("."), value);
  if (next === undefined) entries.delete(head);
  else entries.set(head, next);
  return Object.fromEntries(entries);
}

function changedWithin(json: JsonValue | undefined, path: string, value: JsonValue | undefined): JsonValue {
  if (!Array.isArray(json)) return changed(isJsonObject(json) ? json : {}, path, value);
  return Object.values(changed(Object.fromEntries(json.entries()), path, value));
}
