import { printPointer, printStruct } from "../../apimachinery/errors/printed-structs.js";
import type { PrintedValue } from "../../apimachinery/errors/printed-value.js";

/** `{Type, RollingUpdate}` of a workload. Kubernetes prints the address of the pointer. */
export function printUpdateStrategy(
  typeName: string,
  rollingTypeName: string,
  strategy: { readonly type?: string | undefined; readonly rollingUpdate?: object | undefined },
): PrintedValue {
  return printStruct(`apps.${typeName}`, {
    Type: strategy.type ?? "",
    RollingUpdate: printPointer(`apps.${rollingTypeName}`, strategy.rollingUpdate),
  });
}
