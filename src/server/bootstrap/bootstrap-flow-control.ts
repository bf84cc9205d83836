import { type ApiLevel, hasLevel, isAtLeast, type LevelRange } from "../../apimachinery/levels/api-level.js";
import { mandatoryFlowSchemas, mandatoryPriorityLevels } from "../../apis/flowcontrol/mandatory.js";
import type {
  FlowSchemaSpec,
  LimitResponse,
  NonResourcePolicyRule,
  PriorityLevelConfigurationSpec,
  ResourcePolicyRule,
  Subject,
} from "../../apis/gen/flowcontrol-v1.js";
import type { WritingContext } from "../../controllers/controller.js";
import { createIfMissing } from "../../controllers/create-if-missing.js";
import { type BootstrapObjects, flowControlProducer } from "../../controllers/flow-control-objects.js";
import type { Naming } from "../../naming/naming.js";

/** The priority levels and flow schemas of every cluster. */
export function flowControlObjects(
  naming: Naming,
  level: ApiLevel,
): {
  readonly schemas: BootstrapObjects<FlowSchemaSpec>;
  readonly levels: BootstrapObjects<PriorityLevelConfigurationSpec>;
} {
  return {
    schemas: { mandatory: mandatoryFlowSchemas, suggested: suggestedFlowSchemas(naming, level) },
    levels: {
      mandatory: isAtLeast(level, "1.28") ? withExemptShares : mandatoryPriorityLevels,
      suggested: isAtLeast(level, "1.26") ? lendingPriorityLevels : suggestedPriorityLevels,
      merge: (wanted, { exempt = wanted.exempt }) =>
        wanted.type === "Exempt" ? { ...wanted, exempt } : wanted,
    },
  };
}

/** Creates missing ones, so that they exist when the server becomes ready. */
export async function bootstrapFlowControl(
  context: WritingContext,
  naming: Naming,
  level: ApiLevel,
): Promise<void> {
  const { schemas, levels } = flowControlObjects(naming, level);
  const objectsOf = <Spec>({ mandatory, suggested }: BootstrapObjects<Spec>) =>
    [...mandatory, ...suggested].map(([name, spec]) => {
      const annotations = { [autoUpdateAnnotation(naming)]: "true" };
      return { metadata: { name, annotations }, spec: structuredClone(spec), status: {} };
    });
  const producer = flowControlProducer(level);
  await Promise.all([
    ...objectsOf(levels).map((each) =>
      createIfMissing(context, "prioritylevelconfigurations.flowcontrol.apiserver", "", each, producer),
    ),
    ...objectsOf(schemas).map((each) =>
      createIfMissing(context, "flowschemas.flowcontrol.apiserver", "", each, producer),
    ),
  ]);
}

/** Whether the server maintains the spec of an object. */
export function autoUpdateAnnotation(naming: Naming): string {
  return `apf.${naming.domain}/autoupdate-spec`;
}

const everyResource: ResourcePolicyRule = {
  verbs: ["*"],
  apiGroups: ["*"],
  resources: ["*"],
  clusterScope: true,
  namespaces: ["*"],
};
const everyPath: NonResourcePolicyRule = { verbs: ["*"], nonResourceURLs: ["*"] };
const everyone: readonly Subject[] = [
  groupSubject("system:unauthenticated"),
  groupSubject("system:authenticated"),
];

const suggestedPriorityLevels: ReadonlyMap<string, PriorityLevelConfigurationSpec> = new Map([
  ["system", limited(30, queue(64, 6))],
  ["node-high", limited(40, queue(64, 6))],
  ["leader-election", limited(10, queue(16, 4))],
  ["workload-high", limited(40, queue(128, 6))],
  ["workload-low", limited(100, queue(128, 6))],
  ["global-default", limited(20, queue(128, 6))],
]);

/** Since 1.26 levels lend seats. */
const lendingPriorityLevels: ReadonlyMap<string, PriorityLevelConfigurationSpec> = new Map([
  ["system", limited(30, queue(64, 6), 33)],
  ["node-high", limited(40, queue(64, 6), 25)],
  ["leader-election", limited(10, queue(16, 4))],
  ["workload-high", limited(40, queue(128, 6), 50)],
  ["workload-low", limited(100, queue(128, 6), 90)],
  ["global-default", limited(20, queue(128, 6), 50)],
]);

/** Since 1.28 the level whose requests never wait may lend and have seats. */
const withExemptShares: ReadonlyMap<string, PriorityLevelConfigurationSpec> = new Map(
  [...mandatoryPriorityLevels].map(([name, spec]) => [
    name,
    spec.type === "Exempt" ? { ...spec, exempt: { nominalConcurrencyShares: 0, lendablePercent: 0 } } : spec,
  ]),
);

function limited(
  shares: number,
  limitResponse: LimitResponse,
  lendablePercent = 0,
): PriorityLevelConfigurationSpec {
  return { type: "Limited", limited: { nominalConcurrencyShares: shares, lendablePercent, limitResponse } };
}

function queue(queues: number, handSize: number): LimitResponse {
  return { type: "Queue", queuing: { queues, handSize, queueLengthLimit: 50 } };
}

interface Flow extends LevelRange {
  readonly name: string;
  readonly level: string;
  /** Lower ones are evaluated first. */
  readonly precedence: number;
  readonly distinguisher?: "ByUser" | "ByNamespace";
  readonly subjects: readonly Subject[];
  readonly resources?: readonly ResourcePolicyRule[];
  readonly paths?: readonly NonResourcePolicyRule[];
}

function suggestedFlowSchemas(naming: Naming, level: ApiLevel): ReadonlyMap<string, FlowSchemaSpec> {
  const atLevel = flows(naming, level).filter((flow) => hasLevel(flow, level));
  return new Map(
    atLevel.map((flow): [string, FlowSchemaSpec] => [
      flow.name,
      {
        priorityLevelConfiguration: { name: flow.level },
        matchingPrecedence: flow.precedence,
        ...(flow.distinguisher !== undefined && { distinguisherMethod: { type: flow.distinguisher } }),
        rules: [
          {
            subjects: [...flow.subjects],
            ...(flow.resources !== undefined && { resourceRules: [...flow.resources] }),
            ...(flow.paths !== undefined && { nonResourceRules: [...flow.paths] }),
          },
        ],
      },
    ]),
  );
}

function flows(naming: Naming, level: ApiLevel): readonly Flow[] {
  const { systemNamespace, users } = naming;
  const everything = { resources: [everyResource], paths: [everyPath] };
  const systemAccounts = accountSubject(systemNamespace, "*");
  const coordination = naming.group("coordination");
  const oldLocks = (namespaces: readonly string[]) =>
    rule(["get", "create", "update"], "", ["endpoints", "configmaps"], namespaces);
  const leases = rule(["get", "create", "update"], coordination, ["leases"], ["*"]);
  return [
    {
      name: "probes",
      level: "exempt",
      precedence: 2,
      subjects: everyone,
      paths: [{ verbs: ["get"], nonResourceURLs: ["/healthz", "/readyz", "/livez"] }],
    },
    {
      name: "system-leader-election",
      level: "leader-election",
      precedence: 100,
      distinguisher: "ByUser",
      subjects: [userSubject(users.controllerManager), userSubject(users.scheduler), systemAccounts],
      resources: isAtLeast(level, "1.24") ? [leases] : [oldLocks([systemNamespace]), leases],
    },
    {
      name: "endpoint-controller",
      since: "1.24",
      until: "1.34",
      level: "workload-high",
      precedence: 150,
      distinguisher: "ByUser",
      subjects: [
        userSubject(users.controllerManager),
        accountSubject(systemNamespace, "endpoint-controller"),
        accountSubject(systemNamespace, "endpointslicemirroring-controller"),
      ],
      resources: [rule(["get", "create", "update"], "", ["endpoints"], ["*"])],
    },
    {
      name: "workload-leader-election",
      until: "1.34",
      level: "leader-election",
      precedence: 200,
      distinguisher: "ByUser",
      subjects: [systemAccounts],
      resources: [oldLocks(["*"]), leases],
    },
    {
      name: "system-node-high",
      level: "node-high",
      precedence: 400,
      distinguisher: "ByUser",
      subjects: [groupSubject("system:nodes")],
      resources: [
        { ...rule(["*"], "", ["nodes", "nodes/status"], ["*"]), clusterScope: true },
        rule(["*"], coordination, ["leases"], ["*"]),
      ],
    },
    {
      name: "system-nodes",
      level: "system",
      precedence: 500,
      distinguisher: "ByUser",
      subjects: [groupSubject("system:nodes")],
      ...everything,
    },
    {
      name: `${naming.prefix}-controller-manager`,
      level: "workload-high",
      precedence: 800,
      distinguisher: "ByNamespace",
      subjects: [userSubject(users.controllerManager)],
      ...everything,
    },
    {
      name: `${naming.prefix}-scheduler`,
      level: "workload-high",
      precedence: 800,
      distinguisher: "ByNamespace",
      subjects: [userSubject(users.scheduler)],
      ...everything,
    },
    {
      name: `${systemNamespace}-service-accounts`,
      level: "workload-high",
      precedence: 900,
      distinguisher: "ByNamespace",
      subjects: [systemAccounts],
      ...everything,
    },
    {
      name: "service-accounts",
      level: "workload-low",
      precedence: 9000,
      distinguisher: "ByUser",
      subjects: [groupSubject("system:serviceaccounts")],
      ...everything,
    },
    {
      name: "global-default",
      level: "global-default",
      precedence: 9900,
      distinguisher: "ByUser",
      subjects: everyone,
      ...everything,
    },
  ];
}

function rule(
  verbs: readonly string[],
  apiGroup: string,
  resources: readonly string[],
  namespaces: readonly string[],
): ResourcePolicyRule {
  return { verbs: [...verbs], apiGroups: [apiGroup], resources: [...resources], namespaces: [...namespaces] };
}

function groupSubject(name: string): Subject {
  return { kind: "Group", group: { name } };
}

function userSubject(name: string): Subject {
  return { kind: "User", user: { name } };
}

function accountSubject(namespace: string, name: string): Subject {
  return { kind: "ServiceAccount", serviceAccount: { namespace, name } };
}
