import { append } from "../../apimachinery/collections/append.js";
import {
  type FieldError,
  type FieldPath,
  invalid,
  longerThan,
  required,
  typeInvalid,
} from "../../apimachinery/errors/field-error.js";
import { type ApiLevel, isAtLeast } from "../../apimachinery/levels/api-level.js";
import { isDns1123Subdomain } from "../../apimachinery/validation/dns-names.js";
import { isCIdentifier } from "../../apimachinery/validation/identifiers.js";
import { byteLength } from "../../apimachinery/validation/messages.js";
import { validateDriverName } from "../checks/driver-name.js";

const poolNameBytesMax = 253;
export const domainBytesMax = 63;
export const identifierBytesMax = 32;

/** Names of nodes, or of anything that a driver knows, separated by slashes. */
export function validatePoolName(name: string, path: FieldPath): FieldError[] {
  if (name === "") return [required(path, "")];
  return poolErrors(name, path, (part) =>
    isDns1123Subdomain(part).map((problem) => invalid(path, part, problem)),
  );
}

/** The same rules, and errors say which part is meant. */
export function validatePoolSegments(name: string, path: FieldPath): FieldError[] {
  return poolErrors(name, path, (part, index) => {
    const shown = part === "" ? name : part;
    const problems = part === "" ? ["must not be empty"] : isDns1123Subdomain(part);
    return problems.map((problem) => invalid(path, shown, `segment ${index}: ${problem}`));
  });
}

function poolErrors(
  name: string,
  path: FieldPath,
  check: (part: string, index: number) => FieldError[],
): FieldError[] {
  const bytes = byteLength(name);
  const errors = bytes > poolNameBytesMax ? [longerThan(path, poolNameBytesMax)] : [];
  // Every part of a very long name could be wrong.
  if (bytes > 10 * poolNameBytesMax) return errors;
  for (const [index, part] of name.split("/").entries()) append(errors, check(part, index));
  return errors;
}

/** The name of an attribute or capacity: an identifier, which a domain may qualify. */
export function validateQualifiedName(name: string, path: FieldPath, level: ApiLevel): FieldError[] {
  if (name === "" && !isAtLeast(level, "1.35")) return [required(path, "name required")];
  const [first = "", second, third] = name.split("/", 3);
  if (second === undefined) return validateIdentifier(first, path, level);
  // As in Kubernetes, which checks no name of more parts.
  if (third !== undefined) return [];
  const domain = isAtLeast(level, "1.32") ? "domain" : "prefix";
  const empty = (why: string): FieldError =>
    isAtLeast(level, "1.35") ? invalid(path, "", why) : required(path, why);
  return [
    ...(first === "" ? [empty(`the ${domain} must not be empty`)] : validateDriverName(first, path)),
    ...(second === "" ? [empty("the name must not be empty")] : validateIdentifier(second, path, level)),
  ];
}

export function validateFullyQualifiedName(name: string, path: FieldPath, level: ApiLevel): FieldError[] {
  const errors = validateQualifiedName(name, path, level);
  if (name.includes("/")) return errors;
  if (isAtLeast(level, "1.35")) {
    const why = "a fully qualified name must be a domain and a name separated by a slash";
    return [...errors, invalid(path, name, why)];
  }
  if (!isAtLeast(level, "1.32")) return [...errors, required(path.child("domain"), "must include a prefix")];
  return name === "" ? errors : [...errors, invalid(path, name, "must include a domain")];
}

function validateIdentifier(name: string, path: FieldPath, level: ApiLevel): FieldError[] {
  const errors = byteLength(name) > identifierBytesMax ? [longerThan(path, identifierBytesMax)] : [];
  const refuse = isAtLeast(level, "1.34") ? invalid : typeInvalid;
  return [...errors, ...isCIdentifier(name).map((problem) => refuse(path, name, problem))];
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const anyUuid = /^(urn:uuid:)?\{?[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}\}?$/i;

export function validateUid(uid: string, path: FieldPath): FieldError[] {
  if (uuid.test(uid)) return [];
  if (anyUuid.test(uid)) {
    return [
      invalid(
        path,
        uid,
        "uid must be in RFC 4122 normalized form, `xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx` with lowercase hexadecimal characters",
      ),
    ];
  }
  const why = uid.length === 36 ? "invalid UUID format" : `invalid UUID length: ${byteLength(uid)}`;
  return [invalid(path, uid, `error validating uid: ${why}`)];
}
