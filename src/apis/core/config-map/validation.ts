import { append } from "../../../apimachinery/collections/append.js";
import { isDeepEqual } from "../../../apimachinery/collections/deep-equal.js";
import {
  type FieldError,
  FieldPath,
  forbidden,
  invalid,
  tooLong,
} from "../../../apimachinery/errors/field-error.js";
import { isConfigMapKey } from "../../../apimachinery/validation/identifiers.js";
import { byteLength } from "../../../apimachinery/validation/messages.js";
import type { ConfigMap } from "../../gen/core-v1.js";

/** Limit of all values together. */
const configMapBytesMax = 1024 * 1024;

export function validateConfigMap(object: ConfigMap): FieldError[] {
  const errors: FieldError[] = [];
  const { data = {}, binaryData = {} } = object;
  const dataPath = FieldPath.of("data");
  const binaryPath = FieldPath.of("binaryData");
  let totalBytes = 0;
  for (const key in data) {
    append(errors, keyErrors(dataPath, key));
    if (Object.hasOwn(binaryData, key)) {
      errors.push(invalid(dataPath.key(key), key, "duplicate of key present in binaryData"));
    }
    totalBytes += byteLength(data[key] ?? "");
  }
  for (const key in binaryData) {
    append(errors, keyErrors(binaryPath, key));
    totalBytes += Buffer.byteLength(binaryData[key] ?? "", "base64");
  }
  // Kubernetes reports the size with an empty path.
  if (totalBytes > configMapBytesMax) errors.push(tooLong(FieldPath.nameless, configMapBytesMax));
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
