import { isAtLeast } from "../../../apimachinery/levels/api-level.js";
import type { ApiContext } from "../../definition/api-context.js";
import { ageCell, ageColumn, column, nameColumn } from "../../definition/columns.js";
import { defineResource } from "../../definition/define-resource.js";
import type { ResourceDefinition } from "../../definition/resource-definition.js";
import type { TableColumns } from "../../definition/table-columns.js";
import type { PriorityLevelConfiguration } from "../../gen/flowcontrol-v1.js";
import type { PriorityLevelConfiguration as BetaPriorityLevel } from "../../gen/flowcontrol-v1beta2.js";
import { validateConditions } from "../conditions.js";
import { flowControlStrategies } from "../strategies.js";
import { flowControlStorage, flowControlVersions } from "../versions.js";
import {
  priorityLevelFromBeta,
  priorityLevelFromV1beta3,
  priorityLevelToBeta,
  priorityLevelToV1beta3,
} from "./conversion.js";
import {
  setBetaPriorityLevelDefaults,
  setPriorityLevelDefaults,
  setV1beta3PriorityLevelDefaults,
} from "./defaults.js";
import { validatePriorityLevel } from "./validation.js";

export function priorityLevelConfigurations(
  context: ApiContext,
): ResourceDefinition<PriorityLevelConfiguration> {
  const kind = "PriorityLevelConfiguration";
  const zeroShares = `flowcontrol.${context.naming.groupDomain}/v1beta3-preserve-zero-concurrency-shares`;
  const { main, status } = flowControlStrategies<PriorityLevelConfiguration>({
    validate: ({ version }, object, old) =>
      validatePriorityLevel(object, {
        version,
        level: context.level,
        allowsZeroShares: allowsZeroShares(context, version) || hasZeroShares(old),
      }),
    validateStatus: (_context, object) => validateConditions(object.status.conditions),
  });
  return defineResource<PriorityLevelConfiguration>({
    group: context.naming.group("flowcontrol.apiserver"),
    resource: "prioritylevelconfigurations",
    kind,
    namespaced: false,
    versions: flowControlVersions<PriorityLevelConfiguration, BetaPriorityLevel>(context, {
      kind,
      v1: { setDefaults: setPriorityLevelDefaults },
      v1beta3: {
        setDefaults: (object) => setV1beta3PriorityLevelDefaults(object, zeroShares),
        toHub: (object) => priorityLevelFromV1beta3(object, zeroShares),
        fromHub: (object) => priorityLevelToV1beta3(object, zeroShares),
      },
      v1beta2: {
        setDefaults: (object) => setBetaPriorityLevelDefaults(object, zeroShares, context.level),
        toHub: (object) => priorityLevelFromBeta(object, zeroShares),
        fromHub: (object) => priorityLevelToBeta(object, zeroShares, context.level),
        columns: columns(
          isAtLeast(context.level, "1.26") ? "Nominal" : "Assured",
          ({ assuredConcurrencyShares }) => assuredConcurrencyShares,
        ),
      },
    }),
    storage: { ...flowControlStorage, prefix: "/prioritylevelconfigurations" },
    strategy: main,
    subresources: [status],
    columns: columns("Nominal", ({ nominalConcurrencyShares }) => nominalConcurrencyShares),
  });
}

/** Servers before 1.29 read zero as unset, so 1.29 refuses it while such a server may run beside it. */
function allowsZeroShares({ level, isEnabled }: ApiContext, version: string | undefined): boolean {
  return isAtLeast(level, "1.29") ? isEnabled("ZeroLimitedNominalConcurrencyShares") : version === "v1";
}

function hasZeroShares(object: PriorityLevelConfiguration | undefined): boolean {
  return object?.spec.limited?.nominalConcurrencyShares === 0;
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
