import {
  type FieldError,
  type FieldPath,
  forbidden,
  invalid,
  notSupported,
} from "../../../apimachinery/errors/field-error.js";
import { isAtLeast } from "../../../apimachinery/levels/api-level.js";
import { errorsOfEach } from "../../../apimachinery/validation/errors-of-each.js";
import { Quantity } from "../../../apimachinery/values/quantity.js";
import { printResourceName, validateResourceName } from "../../checks/resource-name-validation.js";
import { isHugePageResource } from "../../checks/resource-names.js";
import type { PodSpec } from "../../gen/core-v1.js";
import { containersTotal } from "./pod-requests.js";
import type { PodValidationOptions } from "./pod-validation-rules.js";
import { validateClaimReferences } from "./resource-claim-validation.js";
import { amountIn } from "./resource-list.js";
import { validateResourceRequirements } from "./resource-validation.js";

/** Pod-level resources. */
export function validatePodResources(
  spec: PodSpec,
  path: FieldPath,
  options: PodValidationOptions,
): FieldError[] {
  const { resources } = spec;
  if (resources === undefined || !options.allowPodResources) return [];
  const saysMayNot = isAtLeast(options.level, "1.34");
  if (saysMayNot && spec.os?.name === "windows") return [forbidden(path, "may not be set for a windows pod")];
  const errors: FieldError[] = [];
  if (resources.claims !== undefined) {
    const why = `claims ${saysMayNot ? "may not" : "cannot"} be set for Resources at pod-level`;
    errors.push(forbidden(path.child("claims"), why));
  }
  return [
    ...errors,
    ...validateResourceRequirements(resources, path, options, (name, at) => {
      const problems = validateResourceName(name, at);
      if (problems.length > 0 || isPodResource(name, options.level)) return problems;
      return [notSupported(at, printResourceName(name), podResourceNames(options))];
    }),
    ...validateClaimReferences(resources.claims, spec, path.child("claims")),
    ...validateRequestsFit(spec, path.child("requests"), options),
    ...(isAtLeast(options.level, "1.34") ? validateHugePagesFit(spec, path.child("limits")) : []),
    ...validateLimitsFit(spec, path),
  ];
}

/** Whether the resource may be in pod-level resources. */
export function isPodResource(name: string, level: PodValidationOptions["level"]): boolean {
  if (name === "cpu" || name === "memory") return true;
  return isHugePageResource(name) && isAtLeast(level, "1.33");
}

function podResourceNames({ level }: PodValidationOptions): string[] {
  return isAtLeast(level, "1.33") ? ["cpu", "hugepages-", "memory"] : ["cpu", "memory"];
}

function validateRequestsFit(spec: PodSpec, path: FieldPath, { level }: PodValidationOptions): FieldError[] {
  return errorsOfEach([...containersTotal(spec, "requests")], ([name, total]) => {
    const request = amountIn(spec.resources?.requests, name);
    // Before 1.34, a missing pod-level request counts as 0.
    if (request === undefined && isAtLeast(level, "1.34")) return [];
    const text = request ?? "0";
    if (total.compare(Quantity.parse(text)) <= 0) return [];
    const why = `must be greater than or equal to aggregate container requests of ${total}`;
    return [invalid(path.key(name), text, why)];
  });
}

function validateHugePagesFit(spec: PodSpec, path: FieldPath): FieldError[] {
  return errorsOfEach([...containersTotal(spec, "limits")], ([name, total]) => {
    const limit = isHugePageResource(name) ? amountIn(spec.resources?.limits, name) : undefined;
    if (limit === undefined || total.compare(Quantity.parse(limit)) <= 0) return [];
    const why = `must be greater than or equal to aggregate container limits of ${total}`;
    return [invalid(path.key(name), limit, why)];
  });
}

function validateLimitsFit({ containers, resources }: PodSpec, path: FieldPath): FieldError[] {
  return errorsOfEach(containers, (container, index) =>
    errorsOfEach(Object.entries(container.resources.limits ?? {}), ([name, text]) => {
      const limit = amountIn(resources?.limits, name);
      if (limit === undefined || Quantity.parse(text).compare(Quantity.parse(limit)) <= 0) return [];
      const at = path.child("containers").index(index).key(name).child("limits");
      return [invalid(at, text, `must be less than or equal to pod limits of ${limit}`)];
    }),
  );
}
