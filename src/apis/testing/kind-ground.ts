import type { FieldError } from "../../apimachinery/errors/field-error.js";
import type { JsonObject, JsonValue } from "../../apimachinery/json/json-value.js";
import type { ApiLevel } from "../../apimachinery/levels/api-level.js";
import type { ApiObject } from "../../apimachinery/objects/meta.js";
import { definitionAtLevel } from "../definition/definition-at-level.js";
import { hubVersion, type ResourceDefinition } from "../definition/resource-definition.js";
import type { Strategy } from "../definition/strategy.js";
import { testWriteContext } from "./api-context.js";

/**
 * Processes objects of one kind as the registry does around its strategy; `now` is 2022-01-01T00:00:00Z. With the columns of all levels,
 * unless one is given.
 */
export function kindGround<T extends ApiObject>(ofAllLevels: ResourceDefinition<T>, level?: ApiLevel) {
  const definition =
    level === undefined ? ofAllLevels : (definitionAtLevel(ofAllLevels, level) ?? ofAllLevels);
  const hub = hubVersion(definition);
  const context = testWriteContext();
  const read = (json: JsonObject): T => {
    const object = hub.codec.fromJson(json);
    hub.setDefaults(object);
    return object as T; // the hub's form
  };
  const strategyOf = (subresource: string | undefined): Strategy<T> => {
    const part = definition.subresources.find(({ name }) => name === subresource);
    return part?.kind === "part" ? part.strategy : definition.strategy;
  };
  const write = (json: JsonObject): T => {
    const object = read(json);
    definition.strategy.prepareForCreate(context, object);
    return object;
  };
  const rewrite = (oldJson: JsonObject, json: JsonObject, subresource?: string): [T, T] => {
    const [object, old] = [read(json), read(oldJson)];
    strategyOf(subresource).prepareForUpdate(context, object, old);
    return [object, old];
  };
  return {
    /** Decodes, with defaults. */
    read,
    /** The stored result of a create. */
    write,
    /** The stored result of an update; `part` names a subresource. */
    rewrite: (old: JsonObject, json: JsonObject, subresource?: string): T =>
      rewrite(old, json, subresource)[0],
    createErrors: (json: JsonObject): string[] => {
      const object = write(json);
      return texts(definition.strategy.validate(context, object));
    },
    updateErrors(oldJson: JsonObject, json: JsonObject, subresource?: string): string[] {
      const [object, old] = rewrite(oldJson, json, subresource);
      return texts(strategyOf(subresource).validateUpdate(context, object, old));
    },
    /** The cells of an object, by column name. */
    cells(json: JsonObject): { [column: string]: JsonValue } {
      const { columns = [], cells } = definition.columns ?? {};
      const values = cells?.(read(json), context.now) ?? [];
      return Object.fromEntries(columns.map(({ name }, index) => [name, values[index] ?? null]));
    },
  };
}

function texts(errors: readonly FieldError[]): string[] {
  return errors.map(({ field, body }) => `${field}: ${body}`);
}
