import { type FieldError, type FieldPath, invalid } from "../../apimachinery/errors/field-error.js";
import { addressText } from "../../apimachinery/validation/cidr-block.js";
import { parseCidr, parseIp } from "../../apimachinery/validation/ip-addresses.js";
import { ipProblems, validateCidrField } from "../../apimachinery/validation/ip-fields.js";

/** Of kinds that are newer than the lenient forms. */
const rules = { level: "1.33", strict: true } as const;
/** No form is longer: what is longer is not parsed. */
const textMax = 64;

/** The problems of an address that must be written in its one canonical form. */
export function strictIpProblems(value: string): string[] {
  const text = value.slice(0, textMax + 1);
  const problems = ipProblems(text, rules);
  const bytes = parseIp(text);
  if (problems.length > 0 || bytes === undefined) return problems;
  const canonical = addressText(bytes);
  return value === canonical ? [] : [notCanonical(canonical)];
}

/** The errors of a range that must be written in its one canonical form. */
export function validateStrictCidr(path: FieldPath, value: string): FieldError[] {
  const errors = validateCidrField(path, value.slice(0, textMax + 1), rules);
  const cidr = parseCidr(value.slice(0, textMax + 1));
  const bytes = parseIp(cidr?.address ?? "");
  if (errors.length > 0 || cidr === undefined || bytes === undefined) return errors;
  const canonical = `${addressText(bytes)}/${cidr.prefixLength}`;
  return value === canonical ? [] : [invalid(path, value, notCanonical(canonical))];
}

function notCanonical(canonical: string): string {
  return `must be in canonical form (${JSON.stringify(canonical)})`;
}
