import { type Printable, printPointer, printStruct } from "../../apimachinery/errors/printed-structs.js";
import type { PrintedValue } from "../../apimachinery/errors/printed-value.js";
import { printIntOrString } from "../checks/printed-values.js";

interface RollingUpdate {
  readonly name: string;
  readonly fields: Readonly<Record<string, Printable>> | undefined;
}

/** `{Type, RollingUpdate}` of a workload. Kubernetes prints the address of the pointer. */
export function printUpdateStrategy(
  name: string,
  type: string | undefined,
  rollingUpdate: RollingUpdate,
): PrintedValue {
  const rollingName = `apps.${rollingUpdate.name}`;
  const { fields } = rollingUpdate;
  const printed = fields === undefined ? undefined : printStruct(rollingName, fields);
  return printStruct(`apps.${name}`, { Type: type ?? "", RollingUpdate: printPointer(rollingName, printed) });
}

/** The fields of daemon sets and deployments. */
export function printRollingUpdate({
  maxUnavailable = 0,
  maxSurge = 0,
}: {
  readonly maxUnavailable?: number | string | undefined;
  readonly maxSurge?: number | string | undefined;
}): Readonly<Record<string, Printable>> {
  return { MaxUnavailable: printIntOrString(maxUnavailable), MaxSurge: printIntOrString(maxSurge) };
}
