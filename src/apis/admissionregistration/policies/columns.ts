import type { ApiObject } from "../../../apimachinery/objects/meta.js";
import { ageCell, ageColumn, column, nameColumn } from "../../definition/columns.js";
import type { TableColumns } from "../../definition/table-columns.js";
import type { ParamKind, ParamRef } from "../../gen/admissionregistration-v1.js";
import type { LabelSelector } from "../../gen/meta-v1.js";

interface Policy extends ApiObject {
  readonly spec: { readonly paramKind?: ParamKind | undefined };
}

interface Binding extends ApiObject {
  readonly spec: { readonly policyName?: string | undefined; readonly paramRef?: ParamRef | undefined };
}

const unset = "<unset>";

/** The column `title` shows how many things the policy does: `count` of them. */
export function policyColumns<T extends Policy>(
  title: string,
  description: string,
  count: (policy: T) => number,
): TableColumns<T> {
  return {
    columns: [
      nameColumn,
      column(title, "integer", description),
      column("ParamKind", "string", "Kind of the objects that the policy takes as parameters."),
      ageColumn,
    ],
    cells: (policy, now) => [
      policy.metadata.name ?? "",
      count(policy),
      paramKindText(policy.spec.paramKind),
      ageCell(policy, now),
    ],
  };
}

export const bindingColumns: TableColumns<Binding> = {
  columns: [
    nameColumn,
    column("PolicyName", "string", "The policy that is put in force."),
    column("ParamRef", "string", "The objects that the policy takes as parameters."),
    ageColumn,
  ],
  cells: (binding, now) => [
    binding.metadata.name ?? "",
    binding.spec.policyName ?? "",
    paramRefText(binding.spec.paramRef),
    ageCell(binding, now),
  ],
};

function paramKindText(paramKind: ParamKind | undefined): string {
  if (paramKind === undefined) return unset;
  const { apiVersion = "", kind = "" } = paramKind;
  return `${apiVersion}/${kind}`;
}

function paramRefText(paramRef: ParamRef | undefined): string {
  if (paramRef === undefined) return unset;
  const { name = "", namespace = "", selector } = paramRef;
  if (selector !== undefined) return selectorInGo(selector);
  return `${namespace === "" ? "*" : namespace}/${name}`;
}

/** As Kubernetes' tables print a selector of parameters: the structure in Go's notation. */
function selectorInGo({ matchLabels = {}, matchExpressions = [] }: LabelSelector): string {
  const labels = Object.entries(matchLabels)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, value]) => `${key}: ${value},`);
  const expressions = matchExpressions.map(
    ({ key, operator, values = [] }) =>
      `LabelSelectorRequirement{Key:${key},Operator:${operator},Values:[${values.join(" ")}],},`,
  );
  return `&LabelSelector{MatchLabels:map[string]string{${labels.join("")}},MatchExpressions:[]LabelSelectorRequirement{${expressions.join("")}},}`;
}
