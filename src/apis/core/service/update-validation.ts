import { append } from "../../../apimachinery/collections/append.js";
import { type FieldError, FieldPath, forbidden, invalid } from "../../../apimachinery/errors/field-error.js";
import { printList } from "../../../apimachinery/errors/printed-structs.js";
import { immutableMessage } from "../../../apimachinery/validation/values.js";
import type { ApiContext } from "../../definition/api-context.js";
import type { Service } from "../../gen/core-v1.js";
import { isHeadless, needsHealthCheckNodePort } from "./service-traits.js";
import { validateLoadBalancerClass } from "./traffic-validation.js";
import { validateService } from "./validation.js";

const setOnce = "may not change once set";

/** A service may gain and lose its secondary address, but its primary one cannot change. */
export function validateServiceUpdate(context: ApiContext, object: Service, old: Service): FieldError[] {
  const errors: FieldError[] = [];
  if (object.spec.type !== "ExternalName" && old.spec.type !== "ExternalName") {
    append(errors, addressErrors(object, old));
    append(errors, familyErrors(object, old));
  }
  append(errors, validateLoadBalancerClass(old, object));
  if (needsHealthCheckNodePort(old) && needsHealthCheckNodePort(object)) {
    if ((object.spec.healthCheckNodePort ?? 0) !== (old.spec.healthCheckNodePort ?? 0)) {
      errors.push(forbidden(FieldPath.of("spec", "healthCheckNodePort"), immutableMessage));
    }
  }
  return [...errors, ...validateService(context, object, old)];
}

function addressErrors(object: Service, old: Service): FieldError[] {
  if (isHeadless(object) && isHeadless(old)) return [];
  const path = FieldPath.of("spec", "clusterIPs");
  const before = old.spec.clusterIPs ?? [];
  const after = object.spec.clusterIPs ?? [];
  if (before.length === after.length) {
    return before.flatMap((address, index) =>
      address === after[index] ? [] : [invalid(path.index(index), after, setOnce)],
    );
  }
  const errors: FieldError[] = [];
  const first = path.index(0);
  if (after.length === 0) {
    errors.push(invalid(first, printList("string", after), "primary clusterIP can not be unset"));
  } else if (before.length > 0 && after[0] !== before[0]) errors.push(invalid(first, after, setOnce));
  if (before.length > after.length && after.length === 1 && object.spec.ipFamilyPolicy !== "SingleStack") {
    const why = "`ipFamilyPolicy` must be set to 'SingleStack' when releasing the secondary clusterIP";
    errors.push(invalid(first, after, why));
  }
  return errors;
}

function familyErrors(object: Service, old: Service): FieldError[] {
  // A headless service may be of any family.
  if (isHeadless(object) || isHeadless(old)) return [];
  const path = FieldPath.of("spec", "ipFamilies").index(0);
  const before = old.spec.ipFamilies ?? [];
  const after = object.spec.ipFamilies ?? [];
  const addresses = object.spec.clusterIPs ?? [];
  const printed = printList("core.IPFamily", after);
  if (before.length === after.length) {
    return before.flatMap((family, index) =>
      family === after[index] ? [] : [invalid(path, printed, setOnce)],
    );
  }
  const errors: FieldError[] = [];
  if (before.length > after.length && addresses.length === 0) {
    errors.push(invalid(path, printed, "primary ipFamily can not be unset"));
  }
  if (before.length > 0 && after.length > 0 && after[0] !== before[0]) {
    errors.push(invalid(path, printList("string", addresses), setOnce));
  }
  if (before.length > after.length && after.length === 1 && object.spec.ipFamilyPolicy !== "SingleStack") {
    const why = "`ipFamilyPolicy` must be set to 'SingleStack' when releasing the secondary ipFamily";
    errors.push(invalid(FieldPath.of("spec", "clusterIPs").index(0), printList("string", addresses), why));
  }
  return errors;
}
