import { put } from "../../../apimachinery/collections/put.js";
import { type FieldError, FieldPath, invalid } from "../../../apimachinery/errors/field-error.js";
import { goType } from "../../../apimachinery/errors/go-type.js";
import { quoted } from "../../../apimachinery/errors/quoted-text.js";
import { goMapText } from "../../../apimachinery/errors/shown-value.js";
import { isJsonObject, type JsonValue } from "../../../apimachinery/json/json-value.js";
import type { ApiObject } from "../../../apimachinery/objects/meta.js";
import { type OwnObject, ownObject } from "../../../apimachinery/structural-schema/prune.js";
import { memberSchema, setDefaults } from "../../../apimachinery/structural-schema/set-defaults.js";
import type { StructuralSchema } from "../../../apimachinery/structural-schema/structural-schema.js";
import { isInteger } from "../../../apimachinery/structural-schema/value-type.js";
import type { ScaleView } from "../../definition/resource-definition.js";
import type { CustomResourceSubresourceScale } from "../../gen/apiextensions-v1.js";
import { jsonOf, namesOfPath, valueAt } from "./custom-object.js";

const replicasMax = 2 ** 31 - 1;

/** The Scale of a custom resource, from the paths in its definition. `schemaOf` gives the schema of stored objects. */
export function customScale(
  scale: CustomResourceSubresourceScale,
  schemaOf: () => StructuralSchema | undefined,
): ScaleView<ApiObject> {
  const spec = namesOfPath(scale.specReplicasPath);
  const status = namesOfPath(scale.statusReplicasPath);
  const selector =
    (scale.labelSelectorPath ?? "") === "" ? undefined : namesOfPath(scale.labelSelectorPath ?? "");
  return {
    specReplicas: (object) => countOf(valueAt(object, spec)),
    statusReplicas: (object) => countOf(valueAt(object, status)),
    selector(object) {
      const text = selector === undefined ? undefined : valueAt(object, selector);
      return typeof text === "string" ? text : "";
    },
    setSpecReplicas: (object, replicas) => setAt(object, spec, replicas, schemaOf),
    // An autoscaler would read 0 as a workload that is switched off.
    problem: (object) =>
      valueAt(object, spec) === undefined
        ? `the spec replicas field ${quoted(scale.specReplicasPath)} does not exist`
        : undefined,
    specReplicasPath: spec,
    isValidatedByKind: true,
  };
}

/** Values that a Scale cannot represent. Source: kube-apiserver 1.23, custom resource strategy. */
export function validateScaleSpec(
  object: ApiObject,
  scale: CustomResourceSubresourceScale | undefined,
): FieldError[] {
  return scale === undefined ? [] : countErrors(object, scale.specReplicasPath);
}

export function validateScaleStatus(
  object: ApiObject,
  scale: CustomResourceSubresourceScale | undefined,
): FieldError[] {
  if (scale === undefined) return [];
  const errors = countErrors(object, scale.statusReplicasPath);
  const { labelSelectorPath = "" } = scale;
  if (labelSelectorPath === "") return errors;
  const names = namesOfPath(labelSelectorPath);
  const selector = valueAt(object, names);
  const isWrong = selector !== undefined && typeof selector !== "string";
  const why = isWrong ? wrongType(labelSelectorPath, selector, "string") : wayProblem(object, names);
  if (why !== undefined) errors.push(invalid(FieldPath.of(labelSelectorPath), "", why));
  return errors;
}

function countErrors(object: ApiObject, path: string): FieldError[] {
  const names = namesOfPath(path);
  const value = valueAt(object, names);
  const at = FieldPath.of(path);
  if (value === undefined) {
    const why = wayProblem(object, names);
    return why === undefined ? [] : [invalid(at, 0, why)];
  }
  if ((typeof value === "bigint" || typeof value === "number") && isInteger(value)) {
    if (value < 0) return [invalid(at, value, "should be a non-negative integer")];
    return value > replicasMax ? [invalid(at, value, `should be less than or equal to ${replicasMax}`)] : [];
  }
  return [invalid(at, 0, wrongType(path, value, "int64"))];
}

/** Why a path finds no value: something on the way has no fields. Null counts as absent. */
function wayProblem(object: ApiObject, names: readonly string[]): string | undefined {
  let holder: JsonValue | undefined = jsonOf(object);
  for (const [index, name] of names.entries()) {
    if (holder === undefined || holder === null) return undefined;
    if (!isJsonObject(holder)) {
      return wrongType(`.${names.slice(0, index + 1).join(".")}`, holder, "map[string]interface{}");
    }
    holder = Object.hasOwn(holder, name) ? holder[name] : undefined;
  }
  return undefined;
}

function wrongType(path: string, value: JsonValue, expected: string): string {
  return `${path} accessor error: ${goMapText(value)} is of the type ${goType(value)}, expected ${expected}`;
}

function countOf(value: JsonValue | undefined): number {
  return typeof value === "number" || typeof value === "bigint" ? Number(value) : 0;
}

/** Objects created on the way to the value get their defaults, as every read would set them. */
function setAt(
  object: ApiObject,
  names: readonly string[],
  value: JsonValue,
  schemaOf: () => StructuralSchema | undefined,
): void {
  let into: OwnObject | undefined = ownObject(jsonOf(object));
  for (const [index, name] of names.entries()) {
    if (into === undefined) return;
    const rest = names.slice(index + 1);
    if (rest.length === 0) put(into, name, value);
    else if (!Object.hasOwn(into, name)) {
      const made = nested(rest, value);
      let schema = schemaOf();
      for (const above of names.slice(0, index + 1)) schema = schema && memberSchema(schema, above);
      if (schema !== undefined) setDefaults(made, schema);
      put(into, name, made);
      return;
    }
    into = ownObject(into[name]);
  }
}

/** `{a: {b: value}}` for the names a and b. */
function nested(names: readonly string[], value: JsonValue): JsonValue {
  return names.reduceRight<JsonValue>((inner, name) => {
    const outer: OwnObject = {};
    put(outer, name, inner);
    return outer;
  }, value);
}
