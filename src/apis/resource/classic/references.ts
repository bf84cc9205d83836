import {
  type FieldError,
  type FieldPath,
  invalid,
  required,
} from "../../../apimachinery/errors/field-error.js";
import { isDns1123Label } from "../../../apimachinery/validation/dns-names.js";
import { validateObjectName } from "../../checks/value-checks.js";

interface Reference {
  readonly apiGroup?: string | undefined;
  readonly kind: string;
  readonly name: string;
  readonly namespace?: string | undefined;
}

/** Of parameters, which are objects of any kind. */
export function validateReference(ref: Reference | undefined, path: FieldPath): FieldError[] {
  if (ref === undefined) return [];
  const { kind, name, namespace = "" } = ref;
  return [
    ...(kind === "" ? [required(path.child("kind"), "")] : []),
    ...(name === "" ? [required(path.child("name"), "")] : []),
    ...(namespace === ""
      ? []
      : isDns1123Label(namespace).map((why) => invalid(path.child("namespace"), namespace, why))),
  ];
}

export function referenceCell(ref: Reference | undefined): string {
  return ref === undefined ? "" : `${ref.kind}.${ref.apiGroup ?? ""} ${ref.name}`;
}

export function validateNodeName(name: string, path: FieldPath): FieldError[] {
  return validateObjectName(name, path);
}
