import { FieldPath } from "../../apimachinery/errors/field-error.js";
import { messageOf } from "../../apimachinery/errors/message-of.js";
import { aggregate } from "../../apimachinery/errors/shown-errors.js";
import { decodeManagers } from "../../apimachinery/managed-fields/managers.js";
import type { ApiObject, ManagedFieldsEntry } from "../../apimachinery/objects/meta.js";
import { validateManagedFields } from "../../apimachinery/validation/managed-fields.js";

/**
 * Restores the managed fields from before admission, with a warning, if admission left malformed ones. Stored, they would make every
 * later apply fail.
 */
export function keepManagersValid(
  { metadata }: ApiObject,
  before: readonly ManagedFieldsEntry[] | undefined,
  request: { warn(text: string): void },
): void {
  const { managedFields: after = [] } = metadata;
  if (metadata.managedFields === before) return;
  const problem = problemOf(after);
  if (problem === undefined) return;
  if (before === undefined) delete metadata.managedFields;
  else metadata.managedFields = [...before];
  request.warn(
    `.metadata.managedFields was in an invalid state after admission; this could be caused by an outdated mutating admission controller; please fix your requests: ${problem}`,
  );
}

function problemOf(entries: readonly ManagedFieldsEntry[]): string | undefined {
  const errors = validateManagedFields(entries, FieldPath.of("metadata", "managedFields"));
  if (errors.length > 0) return aggregate(errors);
  try {
    decodeManagers(entries);
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}
