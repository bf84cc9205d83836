import { append } from "../../../apimachinery/append.js";
import {
  type FieldError,
  FieldPath,
  forbidden,
  invalid,
  tooLong,
} from "../../../apimachinery/field-error.js";
import { isConfigMapKey } from "../../../apimachinery/validation/identifiers.js";
import { isDeepEqual } from "../../definition/base-strategy.js";
import type { ConfigMap } from "../../gen/core-v1.js";

/** Of all values together. */
const configMapBytesMax = 1024 * 1024;

export function validateConfigMap(object: ConfigMap): FieldError[] {
  const errors: FieldError[] = [];
  const data = Object.entries(object.data ?? {});
  const binaryData = Object.entries(object.binaryData ?? {});
  let totalBytes = 0;
  for (const [key, value] of data) {
    append(errors, keyErrors(FieldPath.of("data"), key));
    if (object.binaryData !== undefined && Object.hasOwn(object.binaryData, key)) {
      errors.push(invalid(FieldPath.of("data").key(key), key, "duplicate of key present in binaryData"));
    }
    totalBytes += Buffer.byteLength(value);
  }
  for (const [key, value] of binaryData) {
    append(errors, keyErrors(FieldPath.of("binaryData"), key));
    totalBytes += Buffer.byteLength(value, "base64");
  }
  // Kubernetes reports the size against the empty path.
  if (totalBytes > configMapBytesMax) errors.push(tooLong(FieldPath.of(""), configMapBytesMax));
  return errors;
}

export function validateConfigMapUpdate(object: ConfigMap, old: ConfigMap): FieldError[] {
  const errors: FieldError[] = [];
  if (old.immutable === true) {
    if (object.immutable !== true) {
      errors.push(forbidden(FieldPath.of("immutable"), "field is immutable when `immutable` is set"));
    }
    for (const field of ["data", "binaryData"] as const) {
      if (!isDeepEqual(object[field], old[field])) {
        errors.push(forbidden(FieldPath.of(field), "field is immutable when `immutable` is set"));
      }
    }
  }
  return [...errors, ...validateConfigMap(object)];
}

function keyErrors(path: FieldPath, key: string): FieldError[] {
  return isConfigMapKey(key).map((problem) => invalid(path.key(key), key, problem));
}
