import { append } from "../../../apimachinery/collections/append.js";
import {
  duplicate,
  type FieldError,
  FieldPath,
  invalid,
  notSupported,
} from "../../../apimachinery/errors/field-error.js";
import { printList } from "../../../apimachinery/errors/printed-structs.js";
import { type ApiLevel, isAtLeast } from "../../../apimachinery/levels/api-level.js";
import { errorsOfEach } from "../../../apimachinery/validation/errors-of-each.js";
import { fieldRules } from "../../definition/field-rules.js";
import type { CSIDriver, CSIDriverSpec, TokenRequest } from "../../gen/storage-v1.js";
import { storageV1Types } from "../v1/types.js";

const specRules = fieldRules<CSIDriverSpec>(storageV1Types, "CSIDriverSpec");
const tokenRules = fieldRules<TokenRequest>(storageV1Types, "TokenRequest");

/** The name of `attachRequired` in errors, as in Kubernetes. */
const attachRequiredName = "attachedRequired";

export interface CsiDriverRules {
  /** Whether `storageCapacity` is required, which depends on its feature gate. */
  readonly storageCapacity: boolean;
  /** Likewise. */
  readonly seLinuxMount: boolean;
  readonly level: ApiLevel;
}

export function validateCsiDriver({ spec }: CSIDriver, rules: CsiDriverRules): FieldError[] {
  const path = FieldPath.of("spec");
  const errors = [
    ...specRules.checkValue("attachRequired", spec.attachRequired, path.child(attachRequiredName)),
    ...specRules.check(spec, path, "podInfoOnMount"),
    ...(rules.storageCapacity ? specRules.check(spec, path, "storageCapacity") : []),
    ...specRules.check(spec, path, "fsGroupPolicy"),
  ];
  append(errors, validateTokenRequests(spec));
  const lifecycleModes = specRules.supported("volumeLifecycleModes");
  for (const mode of spec.volumeLifecycleModes ?? []) {
    if (!lifecycleModes.includes(mode)) {
      errors.push(notSupported(path.child("volumeLifecycleModes"), mode, lifecycleModes));
    }
  }
  if (rules.seLinuxMount) append(errors, specRules.check(spec, path, "seLinuxMount"));
  append(errors, specRules.check(spec, path, "nodeAllocatableUpdatePeriodSeconds"));
  if (spec.serviceAccountTokenInSecrets !== undefined && (spec.tokenRequests ?? []).length === 0) {
    const why = "serviceAccountTokenInSecrets is set but no tokenRequests are specified";
    errors.push(invalid(path.child("serviceAccountTokenInSecrets"), spec.serviceAccountTokenInSecrets, why));
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
    ...specRules.unchangedValue(
      "attachRequired",
      object.spec.attachRequired,
      old.spec.attachRequired,
      FieldPath.of("spec", attachRequiredName),
    ),
    ...(isAtLeast(rules.level, "1.30")
      ? []
      : specRules.unchanged(object.spec, old.spec, FieldPath.of("spec"), "fsGroupPolicy", "podInfoOnMount")),
    ...specRules.unchangedValue(
      "volumeLifecycleModes",
      object.spec.volumeLifecycleModes,
      old.spec.volumeLifecycleModes,
      FieldPath.of("spec", "volumeLifecycleModes"),
      (modes) => printList("storage.VolumeLifecycleMode", modes),
    ),
    // Before 1.30, Kubernetes reports these twice.
    ...(isAtLeast(rules.level, "1.30") ? [] : validateTokenRequests(object.spec)),
  ];
}

function validateTokenRequests({ tokenRequests = [] }: CSIDriverSpec): FieldError[] {
  const path = FieldPath.of("spec", "tokenRequests");
  const audiences = new Set<string>();
  return errorsOfEach(tokenRequests, (request, index) => {
    const { audience } = request;
    const at = path.index(index);
    if (audiences.has(audience)) return [duplicate(at.child("audience"), audience)];
    audiences.add(audience);
    return tokenRules.check(request, at, "expirationSeconds");
  });
}
