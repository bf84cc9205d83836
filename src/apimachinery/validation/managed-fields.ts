import { append } from "../collections/append.js";
import { type FieldError, type FieldPath, invalid, tooLong } from "../errors/field-error.js";
import type { ManagedFieldsEntry } from "../objects/meta.js";
import { errorsOfEach } from "./errors-of-each.js";
import { byteLength } from "./messages.js";

const fieldManagerMaxLength = 128;
const subresourceMaxLength = 256;

/** Empty means "not set". */
export function validateFieldManager(manager: string, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  if (byteLength(manager) > fieldManagerMaxLength) errors.push(tooLong(path, fieldManagerMaxLength));
  let position = 0;
  for (const character of manager) {
    if (!isPrintable(character)) {
      errors.push(
        invalid(path, manager, `invalid character ${describe(character)} (at position ${position})`),
      );
    }
    position += byteLength(character);
  }
  return errors;
}

export function validateManagedFields(entries: readonly ManagedFieldsEntry[], path: FieldPath): FieldError[] {
  return errorsOfEach(entries, (entry, index) => {
    const at = path.index(index);
    const errors: FieldError[] = [];
    if (entry.operation !== "Apply" && entry.operation !== "Update") {
      errors.push(invalid(at.child("operation"), entry.operation ?? "", "must be `Apply` or `Update`"));
    }
    const fieldsType = entry.fieldsType ?? "";
    if (fieldsType !== "" && fieldsType !== "FieldsV1") {
      errors.push(invalid(at.child("fieldsType"), fieldsType, "must be `FieldsV1`"));
    }
    append(errors, validateFieldManager(entry.manager ?? "", at.child("manager")));
    if (byteLength(entry.subresource ?? "") > subresourceMaxLength) {
      errors.push(tooLong(at.child("subresource"), subresourceMaxLength));
    }
    return errors;
  });
}

/** Letters, marks, numbers, punctuation, symbols, and the plain space. */
function isPrintable(character: string): boolean {
  // V8 takes milliseconds to compile the expression, which few names need.
  return (character >= " " && character <= "~") || /^[\p{L}\p{M}\p{N}\p{P}\p{S}]$/u.test(character);
}

function describe(character: string): string {
  const codePoint = character.codePointAt(0) ?? 0;
  return `U+${codePoint.toString(16).toUpperCase().padStart(4, "0")}`;
}
