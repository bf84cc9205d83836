import { PrintedValue } from "../../apimachinery/errors/printed-value.js";
import type { LabelSelector } from "../gen/meta-v1.js";

/** Labels and other string maps, in Go's notation. */
export function printStringMap(map: { readonly [key: string]: string } | undefined): PrintedValue {
  if (map === undefined) return new PrintedValue("map[string]string(nil)", null);
  const ordered = sorted(map);
  const entries = Object.entries(ordered);
  const text = entries.map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`).join(", ");
  return new PrintedValue(`map[string]string{${text}}`, ordered);
}

function sorted(map: { readonly [key: string]: string }): Record<string, string> {
  return Object.fromEntries(Object.entries(map).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Bad values in Go's notation, as Kubernetes prints them. */
export function printLabelSelector(selector: LabelSelector | undefined): PrintedValue {
  if (selector === undefined) return new PrintedValue('"null"', null);
  const requirements = selector.matchExpressions?.map(
    ({ key, operator, values }) =>
      `v1.LabelSelectorRequirement{Key:${quote(key)}, Operator:${quote(operator)}, Values:${printStrings(values)}}`,
  );
  const expressions =
    requirements === undefined
      ? "[]v1.LabelSelectorRequirement(nil)"
      : `[]v1.LabelSelectorRequirement{${requirements.join(", ")}}`;
  const labels = printStringMap(selector.matchLabels).text;
  return new PrintedValue(`v1.LabelSelector{MatchLabels:${labels}, MatchExpressions:${expressions}}`, () => {
    const { matchLabels, matchExpressions } = selector;
    return JSON.stringify({ matchLabels: matchLabels && sorted(matchLabels), matchExpressions });
  });
}

export function printIntOrString(value: number | string): PrintedValue {
  return new PrintedValue(
    typeof value === "number"
      ? `intstr.IntOrString{Type:0, IntVal:${value}, StrVal:""}`
      : `intstr.IntOrString{Type:1, IntVal:0, StrVal:${quote(value)}}`,
    value,
  );
}

function printStrings(values: readonly string[] | undefined): string {
  return values === undefined ? "[]string(nil)" : `[]string{${values.map(quote).join(", ")}}`;
}

function quote(text: string): string {
  return JSON.stringify(text);
}
