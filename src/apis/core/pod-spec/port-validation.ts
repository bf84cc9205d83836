import { duplicate, type FieldError, type FieldPath } from "../../../apimachinery/errors/field-error.js";
import { errorsOfEach } from "../../../apimachinery/validation/errors-of-each.js";
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
    const at = path.index(index);
    const errors = rules.check(port, at, "name");
    const { name = "" } = port;
    if (names.has(name)) errors.push(duplicate(at.child("name"), name));
    else if (name !== "" && errors.length === 0) names.add(name);
    return [...errors, ...rules.check(port, at, "containerPort", "hostPort", "protocol")];
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
