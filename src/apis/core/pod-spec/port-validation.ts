import { append } from "../../../apimachinery/collections/append.js";
import {
  duplicate,
  type FieldError,
  type FieldPath,
  required,
} from "../../../apimachinery/errors/field-error.js";
import { errorsOfEach } from "../../../apimachinery/validation/errors-of-each.js";
import { isValidPortNum } from "../../../apimachinery/validation/numbers.js";
import { isValidPortName } from "../../../apimachinery/validation/port-name.js";
import { problemsAt } from "../../checks/value-checks.js";
import { fieldRules } from "../../definition/field-rules.js";
import type { ContainerPort } from "../../gen/core-v1.js";
import { coreV1Types } from "../v1/types.js";
import type { AnyContainer } from "./containers.js";

const rules = fieldRules<ContainerPort>(coreV1Types, "ContainerPort");

export function validateContainerPorts(
  ports: readonly ContainerPort[] | undefined,
  path: FieldPath,
): FieldError[] {
  const names = new Set<string>();
  return errorsOfEach(ports, (port, index) => {
    const errors: FieldError[] = [];
    const at = path.index(index);
    const { name = "", containerPort, hostPort = 0 } = port;
    if (name !== "") {
      const problems = isValidPortName(name);
      append(errors, problemsAt(at.child("name"), name, problems));
      if (names.has(name)) errors.push(duplicate(at.child("name"), name));
      else if (problems.length === 0) names.add(name);
    }
    if (containerPort === 0) errors.push(required(at.child("containerPort"), ""));
    else append(errors, problemsAt(at.child("containerPort"), containerPort, isValidPortNum(containerPort)));
    if (hostPort !== 0) append(errors, problemsAt(at.child("hostPort"), hostPort, isValidPortNum(hostPort)));
    append(errors, rules.check(port, at, "protocol"));
    return errors;
  });
}

/** Host ports that several of `containers` use; `path` is that of the list. */
export function validateHostPortConflicts(
  containers: readonly AnyContainer[],
  path: FieldPath,
): FieldError[] {
  const taken = new Set<string>();
  return errorsOfEach(containers, (container, index) =>
    errorsOfEach(container.ports, ({ hostPort = 0, hostIP = "", protocol = "" }, portIndex) => {
      if (hostPort === 0) return [];
      const text = `${protocol}/${hostIP}/${hostPort}`;
      if (taken.has(text)) {
        return [duplicate(path.index(index).child("ports").index(portIndex).child("hostPort"), text)];
      }
      taken.add(text);
      return [];
    }),
  );
}
