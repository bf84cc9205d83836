import { type FieldError, type FieldPath, invalid, tooLong } from "../../apimachinery/errors/field-error.js";
import { byteLength } from "../../apimachinery/validation/messages.js";

const parametersMax = 512;
/** Limit of all keys and values together. */
const parametersBytesMax = 256 * 1024;

/** What a class tells its driver. */
export function validateParameters(
  parameters: { readonly [key: string]: string },
  path: FieldPath,
): FieldError[] {
  const entries = Object.entries(parameters);
  if (entries.length > parametersMax) return [tooLong(path, parametersMax)];
  const errors: FieldError[] = [];
  let bytes = 0;
  for (const [key, value] of entries) {
    if (key === "") errors.push(invalid(path, key, "field can not be empty."));
    bytes += byteLength(key) + byteLength(value);
  }
  if (bytes > parametersBytesMax) errors.push(tooLong(path, parametersBytesMax));
  return errors;
}
