import { PrintedValue } from "../../apimachinery/errors/field-error.js";
import { printStringMap } from "../core/pod-spec/printed-values.js";
import type { LabelSelector } from "../gen/meta-v1.js";

/** Bad values in Go's notation, as Kubernetes prints them. */
export function printLabelSelector(selector: LabelSelector | undefined): PrintedValue {
  if (selector === undefined) return new PrintedValue('"null"');
  const requirements = selector.matchExpressions?.map(
    ({ key, operator, values }) =>
      `v1.LabelSelectorRequirement{Key:${quote(key)}, Operator:${quote(operator)}, Values:${printStrings(values)}}`,
  );
  const expressions =
    requirements === undefined
      ? "[]v1.LabelSelectorRequirement(nil)"
      : `[]v1.LabelSelectorRequirement{${requirements.join(", ")}}`;
  const labels = printStringMap(selector.matchLabels).text;
  return new PrintedValue(`v1.LabelSelector{MatchLabels:${labels}, MatchExpressions:${expressions}}`);
}

export function printIntOrString(value: number | string): PrintedValue {
  return new PrintedValue(
    typeof value === "number"
      ? `intstr.IntOrString{Type:0, IntVal:${value}, StrVal:""}`
      : `intstr.IntOrString{Type:1, IntVal:0, StrVal:${quote(value)}}`,
  );
}

/** `{Type, RollingUpdate}` of a workload. Kubernetes prints the address of the pointer. */
export function printUpdateStrategy(
  typeName: string,
  rollingTypeName: string,
  strategy: { readonly type?: string | undefined; readonly rollingUpdate?: object | undefined },
): PrintedValue {
  const rolling = strategy.rollingUpdate === undefined ? "nil" : "0xc000000000";
  return new PrintedValue(
    `apps.${typeName}{Type:${quote(strategy.type ?? "")}, RollingUpdate:(*apps.${rollingTypeName})(${rolling})}`,
  );
}

function printStrings(values: readonly string[] | undefined): string {
  return values === undefined ? "[]string(nil)" : `[]string{${values.map(quote).join(", ")}}`;
}

function quote(text: string): string {
  return JSON.stringify(text);
}
