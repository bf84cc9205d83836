import { append } from "../../../apimachinery/append.js";
import {
  duplicate,
  type FieldError,
  FieldPath,
  invalid,
  notSupported,
  required,
} from "../../../apimachinery/field-error.js";
import { printList } from "../../../apimachinery/printed-structs.js";
import { validateImmutable } from "../../../apimachinery/validation/values.js";
import type { CSIDriver, TokenRequest } from "../../gen/storage-v1.js";

const fsGroupPolicies = ["File", "None", "ReadWriteOnceWithFSType"];
const lifecycleModes = ["Persistent", "Ephemeral"];
const expirationSecondsMin = 10 * 60;
const expirationSecondsMax = 2 ** 32;

export interface CsiDriverRules {
  /** Whether `storageCapacity` has to be set, as defaults do. */
  readonly storageCapacity: boolean;
}

export function validateCsiDriver({ spec }: CSIDriver, rules: CsiDriverRules): FieldError[] {
  const path = FieldPath.of("spec");
  const errors: FieldError[] = [];
  // The field is really called attachRequired.
  if (spec.attachRequired === undefined) errors.push(required(path.child("attachedRequired"), ""));
  if (spec.podInfoOnMount === undefined) errors.push(required(path.child("podInfoOnMount"), ""));
  if (rules.storageCapacity && spec.storageCapacity === undefined) {
    errors.push(required(path.child("storageCapacity"), ""));
  }
  if (spec.fsGroupPolicy !== undefined && !fsGroupPolicies.includes(spec.fsGroupPolicy)) {
    errors.push(notSupported(path.child("fsGroupPolicy"), spec.fsGroupPolicy, fsGroupPolicies));
  }
  append(errors, validateTokenRequests(spec.tokenRequests ?? [], path.child("tokenRequests")));
  for (const mode of spec.volumeLifecycleModes ?? []) {
    if (!lifecycleModes.includes(mode)) {
      errors.push(notSupported(path.child("volumeLifecycleModes"), mode, lifecycleModes));
    }
  }
  return errors;
}

const immutableFields = [
  ["attachRequired", "attachedRequired"],
  ["fsGroupPolicy", "fsGroupPolicy"],
  ["podInfoOnMount", "podInfoOnMount"],
] as const;

export function validateCsiDriverUpdate(
  object: CSIDriver,
  old: CSIDriver,
  rules: CsiDriverRules,
): FieldError[] {
  return [
    ...validateCsiDriver(object, rules),
    ...immutableFields.flatMap(([field, named]) =>
      validateImmutable(object.spec[field], old.spec[field], FieldPath.of("spec", named)),
    ),
    ...validateImmutable(
      object.spec.volumeLifecycleModes,
      old.spec.volumeLifecycleModes,
      FieldPath.of("spec", "volumeLifecycleModes"),
      (modes) => printList("storage.VolumeLifecycleMode", modes),
    ),
  ];
}

function validateTokenRequests(requests: readonly TokenRequest[], path: FieldPath): FieldError[] {
  const audiences = new Set<string>();
  return requests.flatMap(({ audience, expirationSeconds }, index) => {
    const at = path.index(index);
    if (audiences.has(audience)) return [duplicate(at.child("audience"), audience)];
    audiences.add(audience);
    if (expirationSeconds === undefined) return [];
    const seconds = at.child("expirationSeconds");
    if (expirationSeconds < expirationSecondsMin) {
      return [invalid(seconds, expirationSeconds, "may not specify a duration less than 10 minutes")];
    }
    return expirationSeconds > expirationSecondsMax
      ? [invalid(seconds, expirationSeconds, "may not specify a duration larger than 2^32 seconds")]
      : [];
  });
}
