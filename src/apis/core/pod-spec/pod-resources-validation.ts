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
import { isHugePageResource } from "../../checks/resource-names.js";
import type { PodSpec } from "../../gen/core-v1.js";
import { containersTotal } from "./pod-requests.js";
import type { PodValidationOptions } from "./pod-validation-rules.js";
import { amountIn } from "./resource-list.js";
import { validateResourceRequirements } from "./resource-validation.js";

/** The resources that a pod's containers share. */
export function validatePodResources(
  spec: PodSpec,
  path: FieldPath,
  options: PodValidationOptions,
): FieldError[] {
  const { resources } = spec;
  if (resources === undefined || !options.allowPodResources) return [];
  const errors: FieldError[] = [];
  if (resources.claims !== undefined) {
    errors.push(forbidden(path.child("claims"), "claims cannot be set for Resources at pod-level"));
  }
  return [
    ...errors,
    ...(["limits", "requests"] as const).flatMap((list) =>
      errorsOfEach(Object.keys(resources[list] ?? {}), (name) =>
        isPodResource(name, options.level)
          ? []
          : [notSupported(path.child(list).key(name), name, podResourceNames(options))],
      ),
    ),
    ...validateResourceRequirements(resources, path, options),
    ...validateRequestsFit(spec, path.child("requests"), options),
    ...validateLimitsFit(spec, path),
  ];
}

/** Whether a pod may state an amount of the resource for all its containers together. */
export function isPodResource(name: string, level: PodValidationOptions["level"]): boolean {
  if (name === "cpu" || name === "memory") return true;
  return isHugePageResource(name) && isAtLeast(level, "1.34");
}

function podResourceNames({ level }: PodValidationOptions): string[] {
  return isAtLeast(level, "1.34") ? ["cpu", "hugepages-", "memory"] : ["cpu", "memory"];
}

function validateRequestsFit(spec: PodSpec, path: FieldPath, { level }: PodValidationOptions): FieldError[] {
  return errorsOfEach([...containersTotal(spec, "requests")], ([name, total]) => {
    if (!isPodResource(name, level)) return [];
    const text = amountIn(spec.resources?.requests, name) ?? "0";
    if (total.compare(Quantity.parse(text)) <= 0) return [];
    const why = `must be greater than or equal to aggregate container requests of ${total}`;
    return [invalid(path.key(name), text, why)];
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
