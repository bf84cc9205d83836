import { FieldPath } from "../../../apimachinery/errors/field-error.js";
import { isAtLeast } from "../../../apimachinery/levels/api-level.js";
import { validateConditions } from "../../checks/condition-validation.js";
import type { ApiContext } from "../../definition/api-context.js";
import { statusStrategy, strategy } from "../../definition/base-strategy.js";
import { defineResource, hub, partVerbs } from "../../definition/define-resource.js";
import { generationRules } from "../../definition/generation.js";
import type { ResourceDefinition } from "../../definition/resource-definition.js";
import type { NetworkPolicy, NetworkPolicyPort } from "../../gen/networking-v1.js";
import { networkPolicyColumns } from "./columns.js";
import { setNetworkPolicyDefaults } from "./defaults.js";
import { networkPolicyRules, networkPolicyWarnings, validateNetworkPolicy } from "./validation.js";

export function networkPolicies(context: ApiContext): ResourceDefinition<NetworkPolicy> {
  const dropEndPorts = (object: NetworkPolicy, old: NetworkPolicy | undefined): void => {
    if (context.isEnabled("NetworkPolicyEndPort")) return;
    if (old !== undefined && portsOf(old).some((port) => port.endPort !== undefined)) return;
    for (const port of portsOf(object)) port.endPort = undefined;
  };
  const hasStatus = isAtLeast(context.level, "1.24") && !isAtLeast(context.level, "1.28");
  const setsStatus = hasStatus && context.isEnabled("NetworkPolicyStatus");
  const main = strategy<NetworkPolicy>(
    generationRules<NetworkPolicy>((object) => object.spec, {
      ...(hasStatus && { resetFields: [["status"]] }),
      prepareForCreate(_context, object) {
        dropEndPorts(object, undefined);
        if (setsStatus) object.status = {};
      },
      prepareForUpdate(_context, object, old) {
        dropEndPorts(object, old);
        if (setsStatus || (old.status?.conditions ?? []).length > 0) object.status = old.status;
      },
      validate: (_context, object) => validateNetworkPolicy(object, networkPolicyRules(context)),
      // Before 1.36, Kubernetes validates an updated object twice and reports every error twice.
      validateUpdate: (_context, object, old) => {
        const errors = validateNetworkPolicy(object, networkPolicyRules(context, old));
        return isAtLeast(context.level, "1.36") ? errors : [...errors, ...errors];
      },
      ...(isAtLeast(context.level, "1.33") && {
        warningsOnCreate: (_context, object) => networkPolicyWarnings(object, context),
        warningsOnUpdate: (_context, object) => networkPolicyWarnings(object, context),
      }),
    }),
  );
  return defineResource<NetworkPolicy>({
    group: context.naming.group("networking"),
    resource: "networkpolicies",
    kind: "NetworkPolicy",
    // The group with which Kubernetes registered the type first.
    invalidKind: isAtLeast(context.level, "1.26")
      ? undefined
      : { group: "extensions", kind: "NetworkPolicy" },
    namespaced: true,
    shortNames: ["netpol"],
    versions: [
      hub<NetworkPolicy>(context, {
        version: "v1",
        type: "networking/v1.NetworkPolicy",
        setDefaults: setNetworkPolicyDefaults,
      }),
    ],
    storage: { version: "v1", prefix: "/networkpolicies" },
    strategy: main,
    subresources: [
      {
        kind: "part",
        name: "status",
        since: "1.24",
        until: "1.28",
        verbs: partVerbs,
        strategy: statusStrategy(main, {
          // Without the gate, a status can only be removed.
          prepareForUpdate(_context, object, old) {
            if (setsStatus) return;
            object.status = (object.status?.conditions ?? []).length === 0 ? {} : old.status;
          },
          validateUpdate: (_context, { status }) =>
            validateConditions(status?.conditions ?? [], FieldPath.of("status", "conditions")),
        }),
      },
    ],
    columns: networkPolicyColumns,
  });
}

function portsOf(object: NetworkPolicy): NetworkPolicyPort[] {
  const rules = [...(object.spec.ingress ?? []), ...(object.spec.egress ?? [])];
  return rules.flatMap((rule) => rule.ports ?? []);
}
