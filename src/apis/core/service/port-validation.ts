import {
  duplicate,
  type FieldError,
  type FieldPath,
  required,
} from "../../../apimachinery/errors/field-error.js";
import { errorsOfEach } from "../../../apimachinery/validation/errors-of-each.js";
import { fieldRules } from "../../definition/field-rules.js";
import type { ServicePort } from "../../gen/core-v1.js";
import { coreV1Types } from "../v1/types.js";

const rules = fieldRules<ServicePort>(coreV1Types, "ServicePort");

/** Validates each port, and that their names differ. */
export function validateServicePorts(ports: readonly ServicePort[], path: FieldPath): FieldError[] {
  const names = new Set<string>();
  return errorsOfEach(ports, (port, index) => portErrors(port, ports.length > 1, names, path.index(index)));
}

function portErrors(
  port: ServicePort,
  isNameRequired: boolean,
  names: Set<string>,
  path: FieldPath,
): FieldError[] {
  const { name = "" } = port;
  const errors = rules.check(port, path, "name");
  if (name !== "") {
    if (names.has(name)) errors.push(duplicate(path.child("name"), name));
    names.add(name);
  } else if (isNameRequired) errors.push(required(path.child("name"), ""));
  return [...errors, ...rules.check(port, path, "port", "protocol", "targetPort", "appProtocol")];
}
