import { hasErrorTextsOf } from "../../apimachinery/errors/error-texts.js";
import {
  type FieldError,
  type FieldPath,
  invalid,
  required,
  tooLong,
} from "../../apimachinery/errors/field-error.js";
import { isDns1123Subdomain } from "../../apimachinery/validation/dns-names.js";
import { byteLength } from "../../apimachinery/validation/messages.js";

const driverNameBytesMax = 63;

/** The name of a CSI driver in a reference; case is ignored. */
export function validateDriverName(name: string, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  if (name === "") {
    errors.push(required(path, ""));
    if (hasErrorTextsOf(35)) return errors;
  }
  if (byteLength(name) > driverNameBytesMax) errors.push(tooLong(path, driverNameBytesMax));
  const lower = name.toLowerCase();
  return [...errors, ...isDns1123Subdomain(lower).map((problem) => invalid(path, name, problem))];
}
