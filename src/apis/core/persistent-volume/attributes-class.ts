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

/** Objects keep a class from when the gate was enabled. */
export function attributesClassRules(
  { isEnabled }: Pick<ApiContext, "isEnabled">,
  old?: Classed,
): AttributesClassRules {
  const enabled = isEnabled("VolumeAttributesClass");
  return { isEnabled: enabled, isChecked: enabled || old?.volumeAttributesClassName !== undefined };
}

/** Why the class may not become absent or empty; undefined when it may. */
export type RemovalRefusal = (after: "" | undefined) => string | undefined;

/** The class may change; `refusal` decides whether it may be removed. */
export function validateAttributesClassUpdate(
  { volumeAttributesClassName: after }: Classed,
  { volumeAttributesClassName: before }: Classed,
  refusal: RemovalRefusal,
  { isEnabled, isChecked }: AttributesClassRules = neither,
): FieldError[] {
  if (after === before) return [];
  const path = FieldPath.of("spec", "volumeAttributesClassName");
  const errors: FieldError[] = [];
  if (!isEnabled) {
    errors.push(
      forbidden(path, "update is forbidden when the VolumeAttributesClass feature gate is disabled"),
    );
  }
  if (!isChecked || (after !== undefined && after !== "")) return errors;
  const why = refusal(after);
  return why === undefined ? errors : [...errors, forbidden(path, why)];
}
