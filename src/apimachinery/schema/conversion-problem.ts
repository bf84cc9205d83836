import { goType } from "../errors/go-type.js";
import type { JsonValue } from "../json/json-value.js";
import { isJsonArray } from "../json/json-values.js";

/** What Go's reflection calls the type of a field. */
export type ConversionTarget =
  | "struct"
  | "map"
  | "slice"
  | "string"
  | "bool"
  | "int32"
  | "int64"
  | "uint8"
  | "float64";

/**
 * Why a value does not become one of the type, in the words of Kubernetes' converter of unstructured objects
 * (k8s.io/apimachinery pkg/runtime/converter.go).
 */
export function conversionProblem(value: JsonValue, target: ConversionTarget, typeName: string): string {
  const from = kindOf(value);
  switch (target) {
    case "struct":
      return `cannot restore struct from: ${from}`;
    case "map":
    case "slice":
      return `cannot restore ${target} from ${from}`;
    default: {
      // Go converts integers to strings and numbers to numbers; the converter refuses some of these.
      const isConvertible =
        from === "int64" ? target !== "bool" : from === "float64" && target !== "bool" && target !== "string";
      return isConvertible ? `cannot convert ${from} to ${typeName}` : `unrecognized type: ${target}`;
    }
  }
}

function kindOf(value: JsonValue): string {
  if (typeof value !== "object") return goType(value);
  return isJsonArray(value) ? "slice" : "map";
}
