import { append } from "../../../apimachinery/collections/append.js";
import { isDeepEqual } from "../../../apimachinery/collections/deep-equal.js";
import {
  type FieldError,
  FieldPath,
  forbidden,
  invalid,
  required,
  tooLong,
} from "../../../apimachinery/errors/field-error.js";
import { parseJson } from "../../../apimachinery/json/json-parse.js";
import { JsonSyntaxError } from "../../../apimachinery/json/json-scanner.js";
import { isJsonObject } from "../../../apimachinery/json/json-value.js";
import { unmarshalProblem } from "../../../apimachinery/json/unmarshal-problem.js";
import { isAtLeast } from "../../../apimachinery/levels/api-level.js";
import { isConfigMapKey } from "../../../apimachinery/validation/identifiers.js";
import type { ApiContext } from "../../definition/api-context.js";
import { fieldRules } from "../../definition/field-rules.js";
import type { Secret } from "../../gen/core-v1.js";
import { coreV1Types } from "../v1/types.js";

/** Limit of all values together. */
const secretBytesMax = 1024 * 1024;

const rules = fieldRules<Secret>(coreV1Types, "Secret");

/** What the rules for secrets depend on. */
type SecretRules = Pick<ApiContext, "naming" | "level">;

export function validateSecret(context: SecretRules, object: Secret): FieldError[] {
  const errors: FieldError[] = [];
  const path = FieldPath.of("data");
  let totalBytes = 0;
  for (const [key, value] of Object.entries(object.data ?? {})) {
    append(
      errors,
      isConfigMapKey(key).map((problem) => invalid(path.key(key), key, problem)),
    );
    totalBytes += Buffer.byteLength(value, "base64");
  }
  if (totalBytes > secretBytesMax) errors.push(tooLong(path, secretBytesMax));
  return [...errors, ...typeErrors(context, object, path)];
}

export function validateSecretUpdate(context: SecretRules, object: Secret, old: Secret): FieldError[] {
  const errors = rules.unchanged(object, old, FieldPath.root, "type");
  if (old.immutable === true) {
    const why = "field is immutable when `immutable` is set";
    if (object.immutable !== true) errors.push(forbidden(FieldPath.of("immutable"), why));
    if (!isDeepEqual(object.data, old.data)) errors.push(forbidden(FieldPath.of("data"), why));
  }
  return [...errors, ...validateSecret(context, object)];
}

/** Required keys of well-known types. Other types are unrestricted. */
function typeErrors(
  { naming: { domain }, level }: SecretRules,
  object: Secret,
  path: FieldPath,
): FieldError[] {
  // Kubernetes 1.23 left the `%s` in the path unfilled.
  const slot = isAtLeast(level, "1.24") ? path : FieldPath.of("data[%s]");
  const { data = {} } = object;
  const missing = (...keys: readonly string[]): FieldError[] =>
    keys.filter((key) => data[key] === undefined).map((key) => required(path.key(key), ""));
  switch (object.type) {
    case `${domain}/service-account-token`: {
      const key = `${domain}/service-account.name`;
      if ((object.metadata.annotations?.[key] ?? "") !== "") return [];
      return [required(FieldPath.of("metadata", "annotations").key(key), "")];
    }
    case `${domain}/dockercfg`:
      return jsonErrors(data, ".dockercfg", path);
    case `${domain}/dockerconfigjson`:
      return jsonErrors(data, ".dockerconfigjson", path);
    case `${domain}/basic-auth`: {
      const errors = missing("username", "password");
      // One of the two keys is enough.
      return errors.length < 2 ? [] : ["username", "password"].map((key) => required(slot.key(key), ""));
    }
    case `${domain}/ssh-auth`:
      if ((data["ssh-privatekey"] ?? "") !== "") return [];
      return [required(slot.key("ssh-privatekey"), "")];
    case `${domain}/tls`:
      return missing("tls.crt", "tls.key");
    default:
      return [];
  }
}

function jsonErrors(data: Readonly<Record<string, string>>, key: string, path: FieldPath): FieldError[] {
  const value = data[key];
  if (value === undefined) return [required(path.key(key), "")];
  const problem = jsonObjectProblem(Buffer.from(value, "base64"));
  // The value is secret, so the error must not repeat it.
  return problem === undefined ? [] : [invalid(path.key(key), "<secret contents redacted>", problem)];
}

function jsonObjectProblem(bytes: Buffer): string | undefined {
  try {
    const value = parseJson(bytes);
    return value === null || isJsonObject(value)
      ? undefined
      : unmarshalProblem(value, "map[string]interface {}");
  } catch (error) {
    if (error instanceof JsonSyntaxError) return error.message;
    throw error;
  }
}
