import { celEnvironment } from "../../../apimachinery/cel/cel-environment.js";
import { CelCompileError } from "../../../apimachinery/cel/cel-error.js";
import { type CelType, scalarTypes, typeText } from "../../../apimachinery/cel/cel-type.js";
import { compileCel } from "../../../apimachinery/cel/compile-cel.js";
import {
  type FieldError,
  type FieldPath,
  invalid,
  required,
} from "../../../apimachinery/errors/field-error.js";
import { celTypePrefix } from "../../../naming/cel-names.js";
import type { ApiContext } from "../../definition/api-context.js";

const mapOf = (value: CelType): CelType => ({ kind: "map", key: scalarTypes.string, value });
const listOf = (element: CelType): CelType => ({ kind: "list", element });

/** The attributes of an instance, by their types. */
const fields: readonly (readonly [string, CelType])[] = [
  ["quantity", mapOf(scalarTypes.quantity)],
  ["bool", mapOf(scalarTypes.bool)],
  ["int", mapOf(scalarTypes.int)],
  ["intslice", mapOf(listOf(scalarTypes.int))],
  ["string", mapOf(scalarTypes.string)],
  ["stringslice", mapOf(listOf(scalarTypes.string))],
  ["version", mapOf(scalarTypes.dyn)],
];
const attributes: CelType = {
  kind: "object",
  name: `${celTypePrefix}.NamedResourcesAttributes`,
  fields: new Map(fields.map(([name, type]) => [name, { name, type }])),
};

/** Chooses instances: `attributes.string["model"] == "a"`. A stored one is not checked again. */
export function validateSelector(
  selector: string,
  path: FieldPath,
  { level, oldestLevel }: Pick<ApiContext, "level" | "oldestLevel">,
  isStored: boolean,
): FieldError[] {
  if (selector === "") return [required(path, "")];
  if (isStored) return [];
  try {
    const environment = celEnvironment({ level, oldestLevel, isStored: false, purpose: "devices" });
    const { type } = compileCel(selector, { attributes }, environment);
    if (type.kind === "bool") return [];
    return [invalid(path, selector, `must evaluate to bool, not ${typeText(type)}`)];
  } catch (error) {
    if (!(error instanceof CelCompileError)) throw error;
    return [invalid(path, selector, `compilation failed: ${error.message}`)];
  }
}
