import { PrintedValue } from "../../apimachinery/errors/field-error.js";

/** `{Type, RollingUpdate}` of a workload. Kubernetes prints the address of the pointer. */
export function printUpdateStrategy(
  typeName: string,
  rollingTypeName: string,
  strategy: { readonly type?: string | undefined; readonly rollingUpdate?: object | undefined },
): PrintedValue {
  const rolling = strategy.rollingUpdate === undefined ? "nil" : "0xc000000000";
  return new PrintedValue(
    `apps.${typeName}{Type:${JSON.stringify(strategy.type ?? "")}, RollingUpdate:(*apps.${rollingTypeName})(${rolling})}`,
  );
}
