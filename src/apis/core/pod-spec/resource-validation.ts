import { append } from "../../../apimachinery/collections/append.js";
import {
  type FieldError,
  type FieldPath,
  forbidden,
  invalid,
  required,
} from "../../../apimachinery/errors/field-error.js";
import { printQuantity } from "../../../apimachinery/errors/printed-quantity.js";
import { isAtLeast } from "../../../apimachinery/levels/api-level.js";
import { errorsOfEach } from "../../../apimachinery/validation/errors-of-each.js";
import { isNegativeMessage } from "../../../apimachinery/validation/values.js";
import { Quantity } from "../../../apimachinery/values/quantity.js";
import type { Naming } from "../../../naming/naming.js";
import { validateContainerResourceName } from "../../checks/resource-name-validation.js";
import {
  isHugePageResource,
  isIntegerResource,
  isOvercommitAllowed,
  isWholeHugePages,
} from "../../checks/resource-names.js";
import type { ResourceRequirements } from "../../gen/core-v1.js";
import type { PodValidationOptions } from "./pod-validation-rules.js";
import { amountIn } from "./resource-list.js";

type NameCheck = (name: string, path: FieldPath) => FieldError[];

/** By default, the names are those that containers may have. */
export function validateResourceRequirements(
  { limits = {}, requests = {} }: ResourceRequirements,
  path: FieldPath,
  options: PodValidationOptions,
  validateName: NameCheck = (name, at) => validateContainerResourceName(name, at, options.naming),
): FieldError[] {
  const { naming } = options;
  const limitsPath = path.child("limits");
  const requestsPath = path.child("requests");
  const errors: FieldError[] = [];
  const validLimits = new Set<string>();
  append(
    errors,
    errorsOfEach(Object.entries(limits), ([name, text]) => {
      const found = [
        ...validateName(name, limitsPath.key(name)),
        ...validateResourceQuantity(name, text, limitsPath.key(name), naming),
        ...validateHugePages(name, text, limitsPath, options),
      ];
      if (found.length === 0) validLimits.add(name);
      return found;
    }),
  );
  append(
    errors,
    errorsOfEach(Object.entries(requests), ([name, text]) => {
      const limit = amountIn(limits, name);
      // True for most requests, which default to the limit.
      if (text === limit && validLimits.has(name)) return [];
      const errors = validateName(name, requestsPath.key(name));
      append(errors, validateResourceQuantity(name, text, requestsPath.key(name), naming));
      const overcommit = isOvercommitAllowed(name, naming);
      if (limit === undefined) {
        if (!overcommit) {
          errors.push(required(limitsPath, "Limit must be set for non overcommitable resources"));
        }
      } else {
        const amount = isAtLeast(options.level, "1.27") ? ` of ${limit}` : "";
        const order = Quantity.parse(text).compare(Quantity.parse(limit));
        if (order !== 0 && !overcommit) {
          errors.push(invalid(requestsPath, text, `must be equal to ${name} limit${amount}`));
        } else if (order > 0) {
          errors.push(invalid(requestsPath, text, `must be less than or equal to ${name} limit${amount}`));
        }
      }
      append(errors, validateHugePages(name, text, requestsPath, options));
      return errors;
    }),
  );
  const names = [...Object.keys(limits), ...Object.keys(requests)];
  if (names.some(isHugePageResource) && !names.includes("cpu") && !names.includes("memory")) {
    errors.push(forbidden(path, "HugePages require cpu or memory"));
  }
  return errors;
}

function validateHugePages(
  name: string,
  text: string,
  path: FieldPath,
  options: PodValidationOptions,
): FieldError[] {
  if (!isHugePageResource(name) || options.allowIndivisibleHugePages) return [];
  if (isWholeHugePages(name, Quantity.parse(text))) return [];
  return [invalid(path.key(name), text, `${text} is not positive integer multiple of ${name}`)];
}

/** Quantities must not be negative, and must be whole for countable resources. */
export function validateResourceQuantity(
  name: string,
  text: string,
  path: FieldPath,
  naming: Naming,
): FieldError[] {
  const quantity = Quantity.parse(text);
  const errors: FieldError[] = [];
  if (quantity.sign() < 0) errors.push(invalid(path, text, isNegativeMessage));
  // Checking the name takes longer than checking the amount.
  if (!quantity.roundedTo(-3).isWhole() && isIntegerResource(name, naming)) {
    errors.push(invalid(path, printQuantity(text), "must be an integer"));
  }
  return errors;
}
