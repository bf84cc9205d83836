import type { FlowSchemaSpec, PriorityLevelConfigurationSpec, Subject } from "../gen/flowcontrol-v1.js";

/** Specs that must not change, by name: without them the server could not classify every request. */
export const mandatoryFlowSchemas: ReadonlyMap<string, FlowSchemaSpec> = new Map([
  ["exempt", allRequests("exempt", 1, undefined, ["system:masters"])],
  [
    "catch-all",
    allRequests("catch-all", 10_000, "ByUser", ["system:unauthenticated", "system:authenticated"]),
  ],
]);

/** The level `exempt` may have anything in its field `exempt`. */
export const mandatoryPriorityLevels: ReadonlyMap<string, PriorityLevelConfigurationSpec> = new Map<
  string,
  PriorityLevelConfigurationSpec
>([
  ["exempt", { type: "Exempt" }],
  [
    "catch-all",
    {
      type: "Limited",
      limited: { nominalConcurrencyShares: 5, lendablePercent: 0, limitResponse: { type: "Reject" } },
    },
  ],
]);

function allRequests(
  priorityLevel: string,
  matchingPrecedence: number,
  distinguisher: string | undefined,
  groups: readonly string[],
): FlowSchemaSpec {
  const subjects: Subject[] = groups.map((name) => ({ kind: "Group", group: { name } }));
  const all = ["*"];
  return {
    priorityLevelConfiguration: { name: priorityLevel },
    matchingPrecedence,
    distinguisherMethod: distinguisher === undefined ? undefined : { type: distinguisher },
    rules: [
      {
        subjects,
        resourceRules: [{ verbs: all, apiGroups: all, resources: all, clusterScope: true, namespaces: all }],
        nonResourceRules: [{ verbs: all, nonResourceURLs: all }],
      },
    ],
  };
}
