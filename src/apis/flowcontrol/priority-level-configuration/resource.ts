import type { ApiContext } from "../../definition/api-context.js";
import { ageCell, ageColumn, column, nameColumn } from "../../definition/columns.js";
import { defineResource } from "../../definition/define-resource.js";
import type { ResourceDefinition } from "../../definition/resource-definition.js";
import type { TableColumns } from "../../definition/table-columns.js";
import type { PriorityLevelConfiguration } from "../../gen/flowcontrol-v1.js";
import type { PriorityLevelConfiguration as BetaPriorityLevel } from "../../gen/flowcontrol-v1beta2.js";
import { validateConditions } from "../conditions.js";
import { flowControlStrategies } from "../strategies.js";
import { flowControlVersions } from "../versions.js";
import { priorityLevelFromBeta, priorityLevelToBeta } from "./conversion.js";
import { setBetaPriorityLevelDefaults, setPriorityLevelDefaults } from "./defaults.js";
import { validatePriorityLevel } from "./validation.js";

export function priorityLevelConfigurations(
  context: ApiContext,
): ResourceDefinition<PriorityLevelConfiguration> {
  const kind = "PriorityLevelConfiguration";
  const zeroShares = `flowcontrol.${context.naming.groupDomain}/v1beta3-preserve-zero-concurrency-shares`;
  const { main, status } = flowControlStrategies<PriorityLevelConfiguration>({
    validate: ({ version }, object) => validatePriorityLevel(object, version),
    validateStatus: (_context, object) => validateConditions(object.status.conditions),
  });
  return defineResource<PriorityLevelConfiguration>({
    group: context.naming.group("flowcontrol.apiserver"),
    resource: "prioritylevelconfigurations",
    kind,
    namespaced: false,
    versions: flowControlVersions<PriorityLevelConfiguration, BetaPriorityLevel>(context, {
      kind,
      setDefaults: setPriorityLevelDefaults,
      setBetaDefaults: (object) => setBetaPriorityLevelDefaults(object, zeroShares),
      fromBeta: (object) => priorityLevelFromBeta(object, zeroShares),
      toBeta: (object) => priorityLevelToBeta(object, zeroShares),
      betaColumns: columns("Assured", ({ assuredConcurrencyShares }) => assuredConcurrencyShares),
    }),
    storage: { version: "v1beta1", prefix: "/prioritylevelconfigurations" },
    strategy: main,
    subresources: [status],
    columns: columns("Nominal", ({ nominalConcurrencyShares }) => nominalConcurrencyShares),
  });
}

function columns<Level extends BetaPriorityLevel | PriorityLevelConfiguration>(
  shareName: "Assured" | "Nominal",
  sharesOf: (limited: NonNullable<Level["spec"]["limited"]>) => number | undefined,
): TableColumns<Level> {
  return {
    columns: [
      nameColumn,
      column("Type", "string", "Limited, or Exempt from all limits."),
      column(`${shareName}ConcurrencyShares`, "string", "Share of the server's concurrency."),
      column("Queues", "string", "Number of queues for what has to wait."),
      column("HandSize", "string", "Number of queues that one flow is dealt."),
      column("QueueLengthLimit", "string", "Requests that may wait in one queue."),
      ageColumn,
    ],
    cells: (object, now) => {
      const { type, limited } = object.spec;
      const queuing = limited?.limitResponse.queuing;
      return [
        object.metadata.name ?? "",
        type,
        (limited && sharesOf(limited)) ?? "<none>",
        queuing?.queues ?? "<none>",
        queuing?.handSize ?? "<none>",
        queuing?.queueLengthLimit ?? "<none>",
        ageCell(object, now),
      ];
    },
  };
}
