import { type FieldError, FieldPath, forbidden } from "../../../apimachinery/errors/field-error.js";
import type { ApiContext } from "../../definition/api-context.js";

/** A volume, or a claim of one. */
interface Classed {
  readonly volumeAttributesClassName?: string | undefined;
}

/** Whether clients may set the class of a volume's attributes, and whether it is checked. */
export interface AttributesClassRules {
  readonly isEnabled: boolean;
  readonly isChecked: boolean;
}

const neither: AttributesClassRules = { isEnabled: false, isChecked: false };

/** Objects keep the class that they got while it was enabled. */
export function attributesClassRules(
  { isEnabled }: ApiContext,
  old: Classed | undefined,
): AttributesClassRules {
  const enabled = isEnabled("VolumeAttributesClass");
  return { isEnabled: enabled, isChecked: enabled || old?.volumeAttributesClassName !== undefined };
}

/** The class may change, but not be removed; where it is checked, that of a claim may not become empty either. */
export function validateAttributesClassUpdate(
  { volumeAttributesClassName: after }: Classed,
  { volumeAttributesClassName: before }: Classed,
  { isEnabled, isChecked }: AttributesClassRules = neither,
  mayBecomeEmpty = true,
): FieldError[] {
  if (after === before) return [];
  const path = FieldPath.of("spec", "volumeAttributesClassName");
  const errors: FieldError[] = [];
  if (!isEnabled) {
    errors.push(
      forbidden(path, "update is forbidden when the VolumeAttributesClass feature gate is disabled"),
    );
  }
  if (!isChecked || before === undefined) return errors;
  if (after === undefined) errors.push(forbidden(path, "update from non-nil value to nil is forbidden"));
  else if (after === "" && !mayBecomeEmpty) {
    errors.push(forbidden(path, "update from non-nil value to an empty string is forbidden"));
  }
  return errors;
}
