import { append } from "../../../apimachinery/collections/append.js";
import { type FieldError, FieldPath, invalid, required } from "../../../apimachinery/errors/field-error.js";
import { type IpFamily, parseCidr } from "../../../apimachinery/validation/ip-addresses.js";
import { nameIsDnsLabel } from "../../../apimachinery/validation/object-name.js";
import { validateNodeSelector } from "../../checks/node-selector.js";
import type { ApiContext } from "../../definition/api-context.js";
import { strategy } from "../../definition/base-strategy.js";
import { ageCell, ageColumn, column, nameColumn } from "../../definition/columns.js";
import { defineResource, hub } from "../../definition/define-resource.js";
import { fieldRules } from "../../definition/field-rules.js";
import type { ResourceDefinition } from "../../definition/resource-definition.js";
import type { TableColumns } from "../../definition/table-columns.js";
import type { NodeSelector, NodeSelectorRequirement } from "../../gen/core-v1.js";
import type { ClusterCIDR, ClusterCIDRSpec } from "../../gen/networking-v1alpha1.js";
import { networkingV1alpha1Types } from "../v1alpha1/types.js";

const rules = fieldRules<ClusterCIDRSpec>(networkingV1alpha1Types, "ClusterCIDRSpec");
const specPath = FieldPath.of("spec");

/** Ranges from which nodes get the addresses of their pods. */
export function clusterCidrs(context: ApiContext): ResourceDefinition<ClusterCIDR> {
  return defineResource<ClusterCIDR>({
    group: context.naming.group("networking"),
    resource: "clustercidrs",
    kind: "ClusterCIDR",
    namespaced: false,
    shortNames: ["cc"],
    since: "1.25",
    until: "1.29",
    versions: [
      hub<ClusterCIDR>(context, {
        version: "v1alpha1",
        type: "networking/v1alpha1.ClusterCIDR",
        enabledByDefault: false,
        lifecycle: { introduced: "1.25", deprecated: "1.28", removed: "1.31" },
      }),
    ],
    storage: { version: "v1alpha1", prefix: "/clustercidrs" },
    strategy: strategy<ClusterCIDR>({
      validateName: nameIsDnsLabel,
      validate: (_write, { spec }) => validateSpec(spec),
      validateUpdate: (_write, { spec }, { spec: old }) => [
        ...validateSpec(spec),
        ...rules.unchanged(spec, old, specPath, "nodeSelector", "perNodeHostBits", "ipv4", "ipv6"),
      ],
    }),
    columns,
  });
}

function validateSpec(spec: ClusterCIDRSpec): FieldError[] {
  const { nodeSelector, ipv4 = "", ipv6 = "" } = spec;
  const errors =
    nodeSelector === undefined
      ? []
      : validateNodeSelector(nodeSelector, specPath.child("nodeSelector"), { anyValues: true });
  if (ipv4 === "" && ipv6 === "") {
    errors.push(required(specPath, "one or both of `ipv4` and `ipv6` must be specified"));
    return errors;
  }
  if (ipv4 !== "") append(errors, validateRange(ipv4, "IPv4", spec));
  if (ipv6 !== "") append(errors, validateRange(ipv6, "IPv6", spec));
  return errors;
}

/** Errors name the family as Kubernetes does, not the field. */
function validateRange(text: string, family: IpFamily, spec: ClusterCIDRSpec): FieldError[] {
  const { perNodeHostBits: hostBits } = spec;
  const path = specPath.child(family);
  const range = parseCidr(text);
  if (range === undefined) return [invalid(path, text, `must be a valid CIDR: ${text}`)];
  const errors = range.family === family ? [] : [invalid(path, text, `must be a valid ${family} CIDR`)];
  const max = (family === "IPv4" ? 32 : 128) - range.prefixLength;
  append(errors, rules.check(spec, specPath, "perNodeHostBits"));
  if (hostBits > max) {
    const why = `must be less than or equal to ${max}`;
    errors.push(invalid(specPath.child("perNodeHostBits"), hostBits, why));
  }
  return errors;
}

const columns: TableColumns<ClusterCIDR> = {
  columns: [
    nameColumn,
    column("PerNodeHostBits", "string", "How many bits of an address each node decides on."),
    column("IPv4", "string", "The range of IPv4 addresses."),
    column("IPv6", "string", "The range of IPv6 addresses."),
    ageColumn,
    column("NodeSelector", "string", "The nodes that get addresses of these ranges.", 1),
  ],
  cells: (object, now) => {
    const { nodeSelector, perNodeHostBits, ipv4 = "", ipv6 = "" } = object.spec;
    return [
      object.metadata.name ?? "",
      String(perNodeHostBits),
      ipv4 === "" ? "<none>" : ipv4,
      ipv6 === "" ? "<none>" : ipv6,
      ageCell(object, now),
      nodeSelector === undefined ? "<none>" : selectorText(nodeSelector),
    ];
  },
};

/** As Go prints the requirements. */
function selectorText({ nodeSelectorTerms = [] }: NodeSelector): string {
  const listOf = (requirements: readonly NodeSelectorRequirement[]): string =>
    `[${requirements.map(({ key, operator, values = [] }) => `{${key} ${operator} [${values.join(" ")}]}`).join(" ")}]`;
  return nodeSelectorTerms
    .flatMap(({ matchExpressions = [], matchFields = [] }) => [
      ...(matchExpressions.length > 0 ? [`MatchExpressions: ${listOf(matchExpressions)}`] : []),
      ...(matchFields.length > 0 ? [`MatchFields: ${listOf(matchFields)}`] : []),
    ])
    .join(",");
}
