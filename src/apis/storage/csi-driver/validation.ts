import { append } from "../../../apimachinery/collections/append.js";
import {
  duplicate,
  type FieldError,
  FieldPath,
  invalid,
  notSupported,
} from "../../../apimachinery/errors/field-error.js";
import { printList } from "../../../apimachinery/errors/printed-structs.js";
import { errorsOfEach } from "../../../apimachinery/validation/errors-of-each.js";
import { validateImmutable } from "../../../apimachinery/validation/values.js";
import { fieldRules } from "../../definition/field-rules.js";
import type { CSIDriver, CSIDriverSpec, TokenRequest } from "../../gen/storage-v1.js";

const specRules = fieldRules<CSIDriverSpec>("storage/v1.CSIDriverSpec");
const expirationSecondsMin = 10 * 60;
const expirationSecondsMax = 2 ** 32;

/** The name of `attachRequired` in errors, as in Kubernetes. */
const attachRequiredName = "attachedRequired";

export interface CsiDriverRules {
  /** Whether `storageCapacity` is required, which depends on its feature gate. */
  readonly storageCapacity: boolean;
}

export function validateCsiDriver({ spec }: CSIDriver, rules: CsiDriverRules): FieldError[] {
  const path = FieldPath.of("spec");
  const errors = [
    ...specRules.checkValue("attachRequired", spec.attachRequired, path.child(attachRequiredName)),
    ...specRules.check(spec, path, "podInfoOnMount"),
    ...(rules.storageCapacity ? specRules.check(spec, path, "storageCapacity") : []),
    ...specRules.check(spec, path, "fsGroupPolicy"),
  ];
  append(errors, validateTokenRequests(spec.tokenRequests ?? [], path.child("tokenRequests")));
  const lifecycleModes = specRules.supported("volumeLifecycleModes");
  for (const mode of spec.volumeLifecycleModes ?? []) {
    if (!lifecycleModes.includes(mode)) {
      errors.push(notSupported(path.child("volumeLifecycleModes"), mode, lifecycleModes));
    }
  }
  return errors;
}

export function validateCsiDriverUpdate(
  object: CSIDriver,
  old: CSIDriver,
  rules: CsiDriverRules,
): FieldError[] {
  return [
    ...validateCsiDriver(object, rules),
    ...validateImmutable(
      object.spec.attachRequired,
      old.spec.attachRequired,
      FieldPath.of("spec", attachRequiredName),
    ),
    ...specRules.unchanged(object.spec, old.spec, FieldPath.of("spec"), "fsGroupPolicy", "podInfoOnMount"),
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
  return errorsOfEach(requests, ({ audience, expirationSeconds }, index) => {
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
