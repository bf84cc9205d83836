import { describe, expect, test } from "vitest";
import { withErrorTextsOf } from "../../../apimachinery/errors/error-texts.js";
import type { JsonObject } from "../../../apimachinery/json/json-value.js";
import { type ApiLevel, minorOf } from "../../../apimachinery/levels/api-level.js";
import type { Pod } from "../../gen/core-v1.js";
import { type TestContextChoices, testApiContext, testWriteContext } from "../../testing/api-context.js";
import { errorTexts } from "../../testing/kind-under-test.js";
import { testPod } from "../../testing/pod-fixture.js";
import { pods } from "./resource.js";
import { podStrategies } from "./strategy.js";

type Gates = TestContextChoices["gates"];
const write = testWriteContext();
const app = { name: "app", image: "app:1" };

function container(fields: JsonObject): JsonObject {
  return { containers: [{ ...app, ...fields }] };
}

function created(level: ApiLevel, spec: JsonObject, gates: Gates = {}, metadata: JsonObject = {}) {
  const context = testApiContext({ level, gates });
  const { main } = podStrategies(context);
  const pod = testPod(context, spec, metadata);
  main.prepareForCreate(write, pod);
  return {
    pod,
    errors: errorTexts(withErrorTextsOf(minorOf(level), () => main.validate(write, pod))),
    warnings: withErrorTextsOf(minorOf(level), () => main.warningsOnCreate?.(write, pod)) ?? [],
  };
}

/** A pod that is created with `old` and then written with `spec`. */
function updated(
  level: ApiLevel,
  old: JsonObject,
  spec: JsonObject,
  {
    gates = {},
    part = "main",
    change,
  }: {
    gates?: Gates;
    part?: "main" | "resize" | "status" | "ephemeralContainers";
    change?: (pod: Pod, old: Pod) => void;
  } = {},
) {
  const context = testApiContext({ level, gates });
  const strategies = podStrategies(context);
  const before = testPod(context, old);
  strategies.main.prepareForCreate(write, before);
  const pod = testPod(context, spec);
  // As the registry does.
  pod.metadata.generation = before.metadata.generation;
  change?.(pod, before);
  strategies[part].prepareForUpdate(write, pod, before);
  return { pod, errors: errorTexts(strategies[part].validateUpdate(write, pod, before)) };
}

const sidecar = { name: "side", image: "s:1", restartPolicy: "Always" };
const tcp = { tcpSocket: { port: 80 } };

describe("sidecars", () => {
  const spec = { initContainers: [{ ...sidecar, livenessProbe: tcp, lifecycle: { preStop: tcp } }] };

  test("lose their restart policy while the gate is off, and other containers are refused with one", () => {
    const off = created("1.28", {
      initContainers: [sidecar, { ...sidecar, name: "n", restartPolicy: "Never" }],
    });
    expect(off.errors).toEqual([]);
    expect(off.pod.spec.initContainers?.map(({ restartPolicy }) => restartPolicy)).toEqual([
      undefined,
      undefined,
    ]);
    const policies = ["Always", ""];
    for (const restartPolicy of policies) {
      expect(created("1.28", container({ restartPolicy })).errors).toEqual([
        "spec.containers[0].restartPolicy: Forbidden: may not be set for non-init containers",
      ]);
    }
    const kept = updated(
      "1.28",
      { initContainers: [sidecar] },
      { initContainers: [sidecar] },
      {
        change: (_pod, old) => {
          for (const each of old.spec.initContainers ?? []) each.restartPolicy = "Always";
        },
      },
    );
    expect(kept.pod.spec.initContainers?.[0]?.restartPolicy).toBe("Always");
  });

  test("may have probes and hooks where the level knows them", () => {
    expect(created("1.29", spec).errors).toEqual([]);
    expect(created("1.29", { initContainers: [{ ...sidecar, restartPolicy: "Never" }] }).errors).toEqual([
      'spec.initContainers[0].restartPolicy: Unsupported value: "Never": supported values: "Always"',
    ]);
    expect(
      created("1.29", { initContainers: [{ name: "i", image: "i", livenessProbe: tcp }] }).errors,
    ).toEqual([
      "spec.initContainers[0].livenessProbe: Forbidden: may not be set for init containers without restartPolicy=Always",
    ]);
    expect(created("1.27", spec).errors).toEqual([
      "spec.initContainers[0].lifecycle: Forbidden: may not be set for init containers",
      "spec.initContainers[0].livenessProbe: Forbidden: may not be set for init containers",
    ]);
  });

  test("only init containers are", () => {
    expect(created("1.29", container({ restartPolicy: "Always" })).errors).toEqual([
      "spec.containers[0].restartPolicy: Forbidden: may not be set for non-init containers",
    ]);
  });

  test("may be started again", () => {
    const status = (state: JsonObject) => ({ initContainerStatuses: [{ name: "side", state }] });
    const change = (pod: Pod, old: Pod): void => {
      const context = testApiContext({ level: "1.29" }).schemas.codec<Pod>("core/v1.Pod");
      old.status = context.fromJson({ status: status({ terminated: { exitCode: 1 } }) }).status;
      pod.status = context.fromJson({ status: status({ running: {} }) }).status;
    };
    const policy = { ...spec, restartPolicy: "Never" };
    expect(updated("1.29", policy, policy, { part: "status", change }).errors).toEqual([]);
    const plain = { initContainers: [{ name: "side", image: "s" }], restartPolicy: "Never" };
    expect(updated("1.29", plain, plain, { part: "status", change }).errors).toEqual([
      "status.initContainerStatuses[0].state: Forbidden: may not be transitioned to non-terminated state",
    ]);
  });
});

describe("rules for restarts of a container", () => {
  const rule = { action: "Restart", exitCodes: { operator: "In", values: [42] } };

  test.each<[JsonObject, string[]]>([
    [{ restartPolicy: "Never", restartPolicyRules: [rule] }, []],
    [
      { restartPolicy: "Sometimes" },
      ['restartPolicy: Unsupported value: "Sometimes": supported values: "Always", "Never", "OnFailure"'],
    ],
    [
      { restartPolicyRules: [rule] },
      ["restartPolicy: Required value: must specify restartPolicy when restart rules are used"],
    ],
    [
      { restartPolicy: "Never", restartPolicyRules: [{ action: "Stop" }] },
      [
        'restartPolicyRules[0].action: Unsupported value: "Stop": supported values: "Restart"',
        "restartPolicyRules[0].exitCodes: Required value: must be specified",
      ],
    ],
    [
      { restartPolicy: "Never", restartPolicyRules: [{ ...rule, exitCodes: { operator: "Equals" } }] },
      [
        'restartPolicyRules[0].exitCodes.operator: Unsupported value: "Equals": supported values: "In", "NotIn"',
      ],
    ],
  ])("%j", (fields, errors) => {
    expect(created("1.35", container(fields)).errors).toEqual(
      errors.map((text) => `spec.containers[0].${text}`),
    );
  });

  test("are limited in number, as are their exit codes, which was told as bytes before 1.36", () => {
    const codes = { operator: "In", values: Array.from({ length: 256 }, (_, code) => code) };
    const restartPolicyRules = [{ ...rule, exitCodes: codes }, ...Array.from({ length: 20 }, () => rule)];
    const fields = { restartPolicy: "Never", restartPolicyRules };
    expect(created("1.36", container(fields)).errors).toEqual([
      "spec.containers[0].restartPolicyRules: Too many: 21: must have at most 20 items",
      "spec.containers[0].restartPolicyRules[0].exitCodes.values: Too many: 256: must have at most 255 items",
    ]);
    expect(created("1.35", container(fields)).errors).toEqual([
      "spec.containers[0].restartPolicyRules: Too long: may not be more than 20 bytes",
      "spec.containers[0].restartPolicyRules[0].exitCodes.values: Too long: may not be more than 255 bytes",
    ]);
  });

  test("restart the pod from 1.36 on", () => {
    const fields = {
      restartPolicy: "Never",
      restartPolicyRules: [{ ...rule, action: "RestartAllContainers" }],
    };
    expect(created("1.36", container(fields)).errors).toEqual([]);
    expect(created("1.35", container(fields)).errors).toHaveLength(1);
  });
});

test("init containers take no resize policy before sidecars may be resized", () => {
  const resizePolicy = [{ resourceName: "cpu", restartPolicy: "NotRequired" }];
  const gates = { InPlacePodVerticalScaling: true };
  const spec = { initContainers: [{ name: "i", image: "i", resizePolicy }] };
  expect(created("1.31", spec, gates).errors).toEqual([
    'spec.initContainers[0].resizePolicy: Invalid value: []core.ContainerResizePolicy{core.ContainerResizePolicy{ResourceName:"cpu", RestartPolicy:"NotRequired"}}: must not be set for init containers',
  ]);
});

test("containers name how they are resized before 1.33", () => {
  const gates = { InPlacePodVerticalScaling: true };
  const resources = { requests: { cpu: "0" }, limits: { memory: "1Gi" } };
  const policy = (resourceName: string, restartPolicy = "NotRequired") => ({ resourceName, restartPolicy });
  const policies = (level: ApiLevel, container: JsonObject, enabled = gates) =>
    created(level, { containers: [{ name: "c", image: "i", ...container }] }, enabled).pod.spec
      .containers?.[0]?.resizePolicy;
  expect(policies("1.27", { resources })).toEqual([policy("cpu"), policy("memory")]);
  const given = [policy("memory", "RestartContainer")];
  expect(policies("1.32", { resources, resizePolicy: given })).toEqual([...given, policy("cpu")]);
  expect(policies("1.32", {})).toBeUndefined();
  expect(policies("1.32", { resources }, { InPlacePodVerticalScaling: false })).toBeUndefined();
  expect(policies("1.33", { resources })).toBeUndefined();
});

describe("scheduling gates", () => {
  const gated = { schedulingGates: [{ name: "example.org/a" }, { name: "example.org/b" }] };
  const node = (terms: JsonObject[]): JsonObject => ({
    affinity: {
      nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: terms } },
    },
  });
  const zone = { key: "zone", operator: "In", values: ["a", "b"] };

  test("keep a pod from being scheduled", () => {
    const { pod, errors } = created("1.31", gated);
    expect(errors).toEqual([]);
    expect(pod.status.conditions).toEqual([
      {
        type: "PodScheduled",
        status: "False",
        lastTransitionTime: "2022-01-01T00:00:00Z",
        reason: "SchedulingGated",
        message: "Scheduling is blocked due to non-empty scheduling gates",
      },
    ]);
    expect(created("1.30", gated).pod.status.conditions?.[0]?.lastTransitionTime).toBeUndefined();
    expect(created("1.27", { ...gated, nodeName: "n" }).errors).toEqual([
      "spec.nodeName: Forbidden: cannot be set until all schedulingGates have been cleared",
    ]);
    expect(created("1.25", gated).pod.status.conditions).toBeUndefined();
  });

  test("may only be removed", () => {
    const one = { schedulingGates: [{ name: "example.org/b" }] };
    expect(updated("1.27", gated, one).errors).toEqual([]);
    expect(updated("1.27", one, gated).errors).toEqual([
      "spec.schedulingGates[0].name: Forbidden: only deletion is allowed, but found new scheduling gate 'example.org/a'",
    ]);
  });

  test("let the choice of nodes be narrowed, and nothing else", () => {
    const narrow = {
      ...node([{ matchExpressions: [zone, { key: "disk", operator: "Exists" }] }]),
      nodeSelector: { a: "1" },
    };
    const wide = node([{ matchExpressions: [zone] }]);
    expect(updated("1.27", { ...gated, ...wide }, { ...gated, ...narrow }).errors).toEqual([]);
    expect(updated("1.27", gated, { ...gated, ...narrow }).errors).toEqual([]);
    expect(updated("1.27", { ...gated, ...narrow }, { ...gated, ...wide }).errors).toEqual([
      expect.stringMatching(
        /^spec\.nodeSelector: Invalid value: .*only additions to spec.nodeSelector are allowed/,
      ),
      'spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0]: Invalid value: core.NodeSelectorTerm{MatchExpressions:[]core.NodeSelectorRequirement{core.NodeSelectorRequirement{Key:"zone", Operator:"In", Values:[]string{"a", "b"}}}, MatchFields:[]core.NodeSelectorRequirement(nil)}: only additions are allowed (no mutations or deletions)',
    ]);
    expect(updated("1.27", { ...gated, ...wide }, { ...gated, ...node([{}, {}]) }).errors).toEqual([
      expect.stringMatching(
        /nodeSelectorTerms: Invalid value: \[\]core\.NodeSelectorTerm\{core\.NodeSelectorTerm\{.*: no additions\/deletions to non-empty/,
      ),
    ]);
    // Not at older levels, nor for a pod without gates.
    expect(
      updated(
        "1.26",
        { ...gated, ...wide },
        { ...gated, ...narrow },
        { gates: { PodSchedulingReadiness: true } },
      ).errors,
    ).toHaveLength(1);
    expect(updated("1.27", wide, narrow).errors).toHaveLength(1);
  });
});

describe("resources of a pod", () => {
  const spec = {
    ...container({ resources: { requests: { cpu: "1" }, limits: { memory: "1Gi" } } }),
    resources: { limits: { cpu: "2", memory: "2Gi" } },
  };

  test("are defaulted from those of its containers, and make its class", () => {
    const { pod, errors } = created("1.34", spec);
    expect(errors).toEqual([]);
    expect(pod.spec.resources?.requests).toEqual({ cpu: "1", memory: "1Gi" });
    expect(pod.status.qosClass).toBe("Burstable");
    const guaranteed = created("1.34", { ...container({}), resources: spec.resources });
    expect(guaranteed.pod.spec.resources?.requests).toEqual({ cpu: "2", memory: "2Gi" });
    expect(guaranteed.pod.status.qosClass).toBe("Guaranteed");
  });

  test("hold those of its containers", () => {
    const large = {
      ...container({ resources: { limits: { cpu: "3" } } }),
      resources: { limits: { cpu: "2" }, requests: { cpu: "1" } },
    };
    expect(created("1.34", large).errors).toEqual([
      'spec.resources.requests[cpu]: Invalid value: "1": must be greater than or equal to aggregate container requests of 3',
      'spec.resources.containers[0][cpu].limits: Invalid value: "3": must be less than or equal to pod limits of 2',
    ]);
    expect(created("1.34", { resources: { limits: { "example.org/gpu": "1" } } }).errors[0]).toBe(
      'spec.resources.limits[example.org/gpu]: Unsupported value: "example.org/gpu": supported values: "cpu", "hugepages-", "memory"',
    );
  });

  test.each<[ApiLevel, JsonObject]>([
    ["1.32", {}],
    ["1.33", { limits: { "hugepages-2Mi": "4Mi" } }],
    ["1.34", {}],
  ])("at %s, limits of huge pages beside requests become %j", (level, made) => {
    const pages = { resources: { requests: { cpu: "1" }, limits: { "hugepages-2Mi": "4Mi" } } };
    const resources = { requests: { cpu: "1", "hugepages-2Mi": "4Mi" } };
    const { pod } = created(level, { ...container(pages), resources }, { PodLevelResources: true });
    expect(pod.spec.resources).toEqual({ ...resources, ...made });
    const { requests, ...rest } =
      created(
        level,
        { ...container(pages), resources: { requests: { cpu: "1" } } },
        { PodLevelResources: true },
      ).pod.spec.resources ?? {};
    expect(rest).toEqual(level === "1.32" ? {} : { limits: { "hugepages-2Mi": "4Mi" } });
    expect(requests?.["hugepages-2Mi"]).toBe(level === "1.32" ? undefined : "4Mi");
  });

  test("are none of an older level", () => {
    expect(created("1.31", spec).pod.spec.resources).toBeUndefined();
  });
});

test.each<[ApiLevel, boolean]>([
  ["1.26", false],
  ["1.27", true],
  ["1.31", true],
  ["1.32", false],
])("at %s, an update that changes the class of a pod says so: %s", (level, says) => {
  const { errors } = updated(level, {}, container({ resources: { limits: { cpu: "1", memory: "1Gi" } } }));
  expect(errors.filter((error) => error.includes("QoS"))).toEqual(
    says ? ['metadata: Invalid value: "BestEffort": Pod QoS is immutable'] : [],
  );
  expect(errors.at(-1)).toMatch(/^spec: Forbidden: pod updates may not change/);
});

test("claims of containers must be those of the pod", () => {
  const claims = { resourceClaims: [{ name: "gpu", resourceClaimName: "c" }] };
  expect(
    created("1.34", { ...container({ resources: { claims: [{ name: "gpu" }] } }), ...claims }).errors,
  ).toEqual([]);
  expect(
    created("1.34", { ...container({ resources: { claims: [{ name: "tpu" }] } }), ...claims }).errors,
  ).toEqual([
    'spec.containers[0].resources.claims[0]: Not found: "tpu": must be one of the names in pod.spec.resourceClaims: gpu',
  ]);
  expect(created("1.34", { resourceClaims: [{ name: "gpu" }] }).errors).toEqual([
    expect.stringMatching(
      /^spec\.resourceClaims\[0\]: Invalid value: .*must specify one of: `resourceClaimName`, `resourceClaimTemplateName`$/,
    ),
  ]);
});

test("until 1.31 two fields of pods had other names in errors", () => {
  const gates = {
    DynamicResourceAllocation: true,
    ClusterTrustBundle: true,
    ClusterTrustBundleProjection: true,
  };
  const bundles = { name: "v", projected: { sources: [{ clusterTrustBundle: { path: "p" } }] } };
  const spec = { volumes: [bundles] };
  expect(created("1.30", spec, gates).errors).toEqual([
    "spec.volumes[0].projected.sources[0].clusterTrustBundlePEM: Required value: either name or signerName must be specified",
  ]);
  expect(created("1.31", spec, gates).errors).toEqual([
    "spec.volumes[0].projected.sources[0].clusterTrustBundle: Required value: either name or signerName must be specified",
  ]);
  expect(created("1.30", { resourceClaims: [{ name: "gpu" }] }, gates).errors).toEqual([
    expect.stringMatching(
      /^spec\.resourceClaims\[0\]\.source: Invalid value: core.ClaimSource{.*must specify one of/,
    ),
  ]);
});

const withDevice = {
  ...container({ volumeDevices: [{ name: "v", devicePath: "/dev/x" }] }),
  volumes: [{ name: "v", persistentVolumeClaim: { claimName: "c" } }],
};

test.each<[level: ApiLevel, spec: JsonObject, errors: string[], Gates?]>([
  [
    "1.33",
    { hostUsers: false, hostPID: true },
    ["spec.HostPID: Forbidden: when `pod.Spec.HostUsers` is false"],
  ],
  [
    "1.33",
    { hostUsers: false, hostNetwork: true },
    ["spec.hostNetwork: Forbidden: when `pod.Spec.HostUsers` is false"],
  ],
  ["1.24", { hostUsers: false, hostPID: true }, []],
  ["1.34", { hostUsers: false, hostPID: true }, ["spec.HostPID: Forbidden: when `hostUsers` is false"]],
  ["1.33", { hostUsers: false, ...withDevice }, []],
  [
    "1.34",
    { hostUsers: false, ...withDevice },
    ["spec.containers[0].volumeDevices: Forbidden: when `hostUsers` is false"],
  ],
  [
    "1.34",
    container({ securityContext: { procMount: "Unmasked" } }),
    [
      'spec.containers[0].securityContext.procMount: Invalid value: "Unmasked": `hostUsers` must be false to use `Unmasked`',
    ],
  ],
  ["1.34", { ...container({ securityContext: { procMount: "Unmasked" } }), hostUsers: false }, []],
  [
    "1.35",
    { hostnameOverride: "Big" },
    [expect.stringMatching(/^spec\.hostnameOverride: Invalid value: "Big"/)],
  ],
  [
    "1.35",
    { hostnameOverride: "a".repeat(65), setHostnameAsFQDN: true, hostNetwork: true },
    [
      "spec.hostnameOverride: Forbidden: may not be specified when setHostnameAsFQDN is true",
      "spec.hostnameOverride: Forbidden: may not be specified when hostNetwork is true",
      expect.stringMatching(/^spec\.hostnameOverride: Too long: .* 64 bytes$/),
    ],
  ],
  [
    "1.35",
    { workloadRef: { name: "", podGroup: "", podGroupReplicaKey: "A" } },
    [
      expect.stringMatching(/^spec\.workloadRef\.name: Invalid value: "": a lowercase RFC 1123 subdomain/),
      expect.stringMatching(/^spec\.workloadRef\.podGroup: Invalid value: "": a lowercase RFC 1123 label/),
      expect.stringMatching(/^spec\.workloadRef\.podGroupReplicaKey: Invalid value: "A"/),
    ],
    { GenericWorkload: true },
  ],
  [
    "1.36",
    { schedulingGroup: {} },
    [
      expect.stringMatching(
        /^spec\.schedulingGroup\.podGroupName: Invalid value: .*null.*: must specify one of/,
      ),
    ],
    { GenericWorkload: true },
  ],
  [
    "1.30",
    {
      volumes: [{ name: "v", projected: { sources: [{ secret: { name: "s" }, configMap: { name: "c" } }] } }],
    },
    ["spec.volumes[0].projected.sources[0]: Forbidden: may not specify more than 1 volume type"],
  ],
  [
    "1.31",
    {
      volumes: [{ name: "v", projected: { sources: [{ secret: { name: "s" }, configMap: { name: "c" } }] } }],
    },
    ["spec.volumes[0].projected.sources[0]: Forbidden: may not specify more than 1 volume type per source"],
  ],
  [
    "1.34",
    {
      volumes: [
        {
          name: "v",
          projected: {
            sources: [
              {
                podCertificate: {
                  signerName: "kubernetes.io/a",
                  keyType: "X",
                  maxExpirationSeconds: 86401,
                  credentialBundlePath: "a",
                  keyPath: "a",
                },
              },
              { podCertificate: { signerName: "a.b/c", keyType: "ED25519", maxExpirationSeconds: 86401 } },
            ],
          },
        },
      ],
    },
    [
      'spec.volumes[0].projected.sources[0].podCertificate.keyType: Unsupported value: "X": supported values: "RSA3072", "RSA4096", "ECDSAP256", "ECDSAP384", "ECDSAP521", "ED25519"',
      "spec.volumes[0].projected.sources[0].podCertificate.maxExpirationSeconds: Invalid value: 86401: if provided, maxExpirationSeconds must be <= 86400",
      'spec.volumes[0].projected: Invalid value: "a": conflicting duplicate paths',
      "spec.volumes[0].projected.sources[1].podCertificate: Required value: specify at least one of credentialBundlePath, keyPath, and certificateChainPath",
    ],
    { PodCertificateRequest: true },
  ],
  ["1.35", { volumes: [{ name: "i", image: { reference: "r" } }] }, []],
  ["1.35", { volumes: [{ name: "i", image: {} }] }, ["spec.volumes[0].image.reference: Required value"]],
  [
    "1.35",
    container({ env: [{ name: "a=b" }] }),
    [
      "spec.containers[0].env[0].name: Invalid value: \"a=b\": a valid environment variable name must consist only of printable ASCII characters other than '='",
    ],
  ],
  ["1.32", container({ env: [{ name: "1 a" }] }), []],
  ["1.29", container({ env: [{ name: "1 a" }] }), [expect.stringContaining("must not start with a digit")]],
  ["1.33", { dnsConfig: { searches: [".", "_a.b"] } }, []],
  [
    "1.31",
    { dnsConfig: { searches: ["_a.b"] } },
    [expect.stringContaining("a lowercase RFC 1123 subdomain")],
  ],
  [
    "1.31",
    {
      ...container({ volumeMounts: [{ name: "e", mountPath: "/e", recursiveReadOnly: "Enabled" }] }),
      volumes: [{ name: "e", emptyDir: {} }],
    },
    [
      "spec.containers[0].volumeMounts.recursiveReadOnly: Forbidden: may only be specified when readOnly is true",
    ],
  ],
  [
    "1.33",
    { securityContext: { supplementalGroupsPolicy: "Loose" } },
    [
      'spec.securityContext.supplementalGroupsPolicy: Unsupported value: "Loose": supported values: "Merge", "Strict"',
    ],
  ],
  [
    "1.33",
    { securityContext: { seLinuxChangePolicy: "MountOption" } },
    [
      'spec.securityContext.seLinuxChangePolicy: Unsupported value: "MountOption": supported values: "Recursive"',
    ],
  ],
  [
    "1.30",
    container({ lifecycle: { preStop: { sleep: { seconds: 31 } } } }),
    [
      "spec.containers[0].lifecycle.preStop.sleep: Invalid value: 31: must be greater than 0 and less than terminationGracePeriodSeconds (30)",
    ],
  ],
  ["1.33", container({ lifecycle: { preStop: { sleep: { seconds: 0 } } } }), []],
  [
    "1.31",
    { securityContext: { appArmorProfile: { type: "Localhost" } } },
    [
      "spec.securityContext.appArmorProfile.localhostProfile: Required value: must be set when AppArmor type is Localhost",
    ],
  ],
  [
    "1.30",
    { securityContext: { sysctls: [{ name: "net.a", value: "1" }] }, hostNetwork: true },
    [
      "spec.securityContext.sysctls[0].name: Invalid value: \"net.a\": may not be specified when 'hostNetwork' is true",
    ],
  ],
  [
    "1.27",
    {
      topologySpreadConstraints: [
        { maxSkew: 1, topologyKey: "z", whenUnsatisfiable: "ScheduleAnyway", minDomains: 1 },
      ],
    },
    [
      "spec.topologySpreadConstraints[0].minDomains: Invalid value: 1: can only use minDomains if whenUnsatisfiable=DoNotSchedule, not ScheduleAnyway",
    ],
  ],
  [
    "1.27",
    {
      topologySpreadConstraints: [
        { maxSkew: 1, topologyKey: "z", whenUnsatisfiable: "ScheduleAnyway", nodeTaintsPolicy: "Some" },
      ],
    },
    [
      'spec.topologySpreadConstraints[0].nodeTaintsPolicy: Unsupported value: "Some": supported values: "Honor", "Ignore"',
    ],
  ],
  [
    "1.27",
    {
      topologySpreadConstraints: [
        {
          maxSkew: 1,
          topologyKey: "z",
          whenUnsatisfiable: "ScheduleAnyway",
          matchLabelKeys: ["a"],
          labelSelector: { matchLabels: { a: "b" } },
        },
      ],
    },
    [
      'spec.topologySpreadConstraints[0].matchLabelKeys[0]: Invalid value: "a": exists in both matchLabelKeys and labelSelector',
    ],
  ],
  [
    "1.35",
    { tolerations: [{ key: "k", operator: "Lt", value: "5" }] },
    [
      'spec.tolerations[0].operator: Unsupported value: "Lt": supported values: "Equal", "Exists", "Lt", "Gt"',
    ],
  ],
  [
    "1.34",
    { tolerations: [{ key: "k", operator: "Lt", value: "5" }] },
    ['spec.tolerations[0].operator: Unsupported value: "Lt": supported values: "Equal", "Exists"'],
  ],
  [
    "1.35",
    container({
      env: [{ name: "A", valueFrom: { fileKeyRef: { volumeName: "v", path: "../x", key: "K" } } }],
    }),
    [
      "spec.containers[0].env[0].valueFrom.fileKeyRef.path: Invalid value: \"../x\": must not contain '..'",
      'spec.containers[0].env[0].valueFrom.fileKeyRef.volumeName: Not found: "v"',
    ],
  ],
  [
    "1.35",
    {
      volumes: [{ name: "v", configMap: { name: "m" } }],
      ...container({
        env: [{ name: "A", valueFrom: { fileKeyRef: { volumeName: "v", path: "x", key: "K" } } }],
      }),
    },
    [
      'spec.containers[0].env[0].valueFrom.fileKeyRef.volumeName: Invalid value: "v": referenced volume must be of type emptyDir',
    ],
  ],
  ...(["1.26", "1.27"] as const).map((level): [ApiLevel, JsonObject, string[]] => [
    level,
    container({ resources: { requests: { cpu: 2 }, limits: { cpu: 1 } } }),
    [
      `spec.containers[0].resources.requests: Invalid value: "2": must be less than or equal to cpu limit${level === "1.27" ? " of 1" : ""}`,
    ],
  ]),
  ["1.33", { os: { name: "" } }, ["spec.os.name: Required value: cannot be empty"]],
  ["1.34", { os: { name: "" } }, ["spec.os.name: Required value"]],
  ...(["1.23", "1.24"] as const).map((level): [ApiLevel, JsonObject, string[]] => [
    level,
    { volumes: [{ name: "v", csi: { driver: "d", nodePublishSecretRef: {} } }] },
    [`spec.volumes[0].csi.nodePublishSecretRef${level === "1.24" ? "" : " "}.name: Required value`],
  ]),
  ["1.35", { volumes: [{ name: "v", csi: { driver: "" } }] }, ["spec.volumes[0].csi.driver: Required value"]],
  [
    "1.35",
    container({ securityContext: { runAsUser: 2147483648 } }),
    [
      "spec.containers[0].securityContext.runAsUser: Invalid value: 2147483648: must be between 0 and 2147483647, inclusive",
    ],
  ],
  [
    "1.35",
    { resources: { limits: { unknown: 1 } } },
    [
      'spec.resources.limits[unknown]: Invalid value: "unknown": must be a standard resource type or fully qualified',
    ],
  ],
  [
    "1.34",
    { resources: { claims: [{ name: "c" }] } },
    [
      "spec.resources.claims: Forbidden: claims may not be set for Resources at pod-level",
      'spec.resources.claims[0]: Not found: "c": must be one of the names in pod.spec.resourceClaims which is empty',
    ],
  ],
  ["1.35", { resources: {}, ...container({ resources: { requests: { cpu: 1 } } }) }, []],
  ...(["1.32", "1.33", "1.34"] as const).map((level): [ApiLevel, JsonObject, string[], Gates] => [
    level,
    {
      resources: { requests: { cpu: 1 } },
      ...container({ resources: { requests: { cpu: 1, "ephemeral-storage": "2" } } }),
    },
    level === "1.34"
      ? []
      : [
          'spec.resources.requests[ephemeral-storage]: Invalid value: "0": must be greater than or equal to aggregate container requests of 2',
        ],
    { PodLevelResources: true },
  ]),
  [
    "1.35",
    { resources: { limits: { cpu: 1 } }, os: { name: "windows" } },
    ["spec.resources: Forbidden: may not be set for a windows pod"],
  ],
  ...(["1.31", "1.32"] as const).map((level): [ApiLevel, JsonObject, string[]] => [
    level,
    { tolerations: [{ key: "k", operator: "Exists", value: "v" }] },
    [
      `spec.tolerations[0].operator: Invalid value: ${level === "1.32" ? '"v"' : 'core.Toleration{Key:"k", Operator:"Exists", Value:"v", Effect:"", TolerationSeconds:(*int64)(nil)}'}: value must be empty when \`operator\` is 'Exists'`,
    ],
  ]),
  [
    "1.28",
    container({ env: [{ name: "A", valueFrom: { fieldRef: { fieldPath: "status.hostIPs" } } }] }),
    [
      "spec.containers[0].env[0].valueFrom.fieldRef: Forbidden: may not be set when feature gate 'PodHostIPs' is not enabled",
    ],
  ],
  ...(["1.28", "1.29", "1.36"] as const).map((level): [ApiLevel, JsonObject, string[], Gates] => [
    level,
    container({ env: [{ name: "A", valueFrom: { fieldRef: { fieldPath: "status.hostIPs" } } }] }),
    [],
    level === "1.28" ? { PodHostIPs: true } : {},
  ]),
  [
    "1.27",
    container({ env: [{ name: "A", valueFrom: { fieldRef: { fieldPath: "status.hostIPs" } } }] }),
    [
      'spec.containers[0].env[0].valueFrom.fieldRef.fieldPath: Invalid value: "status.hostIPs": error converting fieldPath: field label not supported: status.hostIPs',
    ],
  ],
])("at %s, %j", (level, spec, errors, gates) => {
  expect(created(level, spec, gates).errors).toEqual(errors);
});

test.each<[JsonObject, string[]]>([
  [{ key: "k", operator: "Lt", value: "5" }, []],
  [
    { key: "k", operator: "Gt", value: "05" },
    ['spec.tolerations[0].value: Invalid value: "05": must be a valid decimal integer in canonical form'],
  ],
])("tolerations compare numbers while their gate is on: %j", (toleration, errors) => {
  const gates = { TaintTolerationComparisonOperators: true };
  expect(created("1.35", { tolerations: [toleration] }, gates).errors).toEqual(errors);
});

test("images are no volumes while their gate is off, and what is in use stays", () => {
  const spec = {
    ...container({
      volumeMounts: [
        { name: "i", mountPath: "/i" },
        { name: "e", mountPath: "/e" },
      ],
    }),
    volumes: [
      { name: "i", image: { reference: "r" } },
      { name: "e", emptyDir: {} },
    ],
  };
  const { pod, errors } = created("1.33", spec);
  expect(errors).toEqual([]);
  expect(pod.spec.volumes?.map(({ name }) => name)).toEqual(["e"]);
  expect(pod.spec.containers?.[0]?.volumeMounts?.map(({ name }) => name)).toEqual(["e"]);
  expect(created("1.35", spec).pod.spec.volumes).toHaveLength(2);
});

test("containers have no restart policy of their own at 1.34 while the gate is off", () => {
  const spec = { ...container({ restartPolicy: "Never" }), initContainers: [sidecar] };
  const { pod, errors } = created("1.34", spec);
  expect(errors).toEqual([]);
  expect(pod.spec.containers?.[0]?.restartPolicy).toBeUndefined();
  expect(pod.spec.initContainers?.[0]?.restartPolicy).toBe("Always");
  expect(created("1.35", spec).pod.spec.containers?.[0]?.restartPolicy).toBe("Never");
});

test("labels of volumes may change by mounting while their gate is on", () => {
  const spec = { securityContext: { seLinuxChangePolicy: "MountOption" } };
  expect(created("1.33", spec, { SELinuxMount: true }).errors).toEqual([]);
});

test("signals stop containers of a known system while their gate is on", () => {
  const gates = { ContainerStopSignals: true };
  const spec = container({ lifecycle: { stopSignal: "SIGUSR1" } });
  expect(created("1.33", { ...spec, os: { name: "linux" } }, gates).errors).toEqual([]);
  expect(created("1.33", spec, gates).errors).toEqual([
    "spec.containers[0].lifecycle.stopSignal: Forbidden: may not be set for containers with empty `spec.os.name`",
  ]);
  expect(created("1.33", { ...spec, os: { name: "windows" } }, gates).errors).toEqual([
    'spec.containers[0].lifecycle.stopSignal: Unsupported value: "SIGUSR1": supported values: "SIGKILL", "SIGTERM"',
  ]);
});

describe("label keys", () => {
  const term = { topologyKey: "z", labelSelector: { matchLabels: { app: "a" } } };
  const affinity = (fields: JsonObject): JsonObject => ({
    affinity: {
      podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ ...term, ...fields }] },
    },
  });
  const labels = { labels: { hash: "1", tenant: "t" } };

  test("of affinity are merged into the selector of a new pod", () => {
    const spec = affinity({ matchLabelKeys: ["hash", "none"], mismatchLabelKeys: ["tenant"] });
    const { pod, errors } = created("1.31", spec, {}, labels);
    expect(errors).toEqual([]);
    const [merged] = pod.spec.affinity?.podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? [];
    expect(merged?.labelSelector?.matchExpressions).toEqual([
      { key: "hash", operator: "In", values: ["1"] },
      { key: "tenant", operator: "NotIn", values: ["t"] },
    ]);
    const below = created("1.28", spec, {}, labels).pod.spec.affinity?.podAntiAffinity;
    expect(below?.requiredDuringSchedulingIgnoredDuringExecution?.[0]?.labelSelector).toEqual(
      term.labelSelector,
    );
  });

  test("of affinity must not be in the selector or in both lists", () => {
    const labelSelector = { matchExpressions: [{ key: "hash", operator: "Exists" }] };
    const spec = affinity({ labelSelector, matchLabelKeys: ["hash"], mismatchLabelKeys: ["hash"] });
    expect(created("1.31", spec, {}, labels).errors).toEqual([
      'spec.affinity.podAntiAffinity.requiredDuringSchedulingIgnoredDuringExecution[0][0]: Invalid value: "hash": exists in both matchLabelKeys and labelSelector',
      'spec.affinity.podAntiAffinity.requiredDuringSchedulingIgnoredDuringExecution[0][0]: Invalid value: "hash": exists in both matchLabelKeys and labelSelector',
      'spec.affinity.podAntiAffinity.requiredDuringSchedulingIgnoredDuringExecution[0].matchLabelKeys[0]: Invalid value: "hash": exists in both matchLabelKeys and mismatchLabelKeys',
    ]);
  });

  test("of spread constraints are merged from 1.34 on", () => {
    const spread = {
      maxSkew: 1,
      topologyKey: "z",
      whenUnsatisfiable: "DoNotSchedule",
      labelSelector: {},
      matchLabelKeys: ["hash"],
    };
    const spec = { topologySpreadConstraints: [spread] };
    const selectorAt = (level: ApiLevel) => {
      const { pod, errors } = created(level, spec, {}, labels);
      expect(errors).toEqual([]);
      return pod.spec.topologySpreadConstraints?.[0]?.labelSelector;
    };
    expect(selectorAt("1.34")).toEqual({
      matchExpressions: [{ key: "hash", operator: "In", values: ["1"] }],
    });
    expect(selectorAt("1.33")).toEqual({});
  });
});

describe("AppArmor profiles of a new pod", () => {
  const key = "container.apparmor.security.beta.kubernetes.io/app";
  const field = container({ securityContext: { appArmorProfile: { type: "RuntimeDefault" } } });

  test("as an annotation become a field, with a warning", () => {
    const { pod, errors, warnings } = created("1.30", {}, {}, { annotations: { [key]: "localhost/p" } });
    expect(errors).toEqual([]);
    expect(pod.spec.containers?.[0]?.securityContext?.appArmorProfile).toEqual({
      type: "Localhost",
      localhostProfile: "p",
    });
    expect(warnings).toEqual([
      `metadata.annotations[${key}]: deprecated since v1.30; use the "appArmorProfile" field instead`,
    ]);
  });

  test("as a field become an annotation until 1.34", () => {
    expect(created("1.33", field).pod.metadata.annotations).toEqual({ [key]: "runtime/default" });
    expect(created("1.34", field).pod.metadata.annotations).toBeUndefined();
  });

  test("must be the same in both", () => {
    expect(created("1.31", field, {}, { annotations: { [key]: "unconfined" } }).errors).toEqual([
      "spec.containers[0].securityContext.appArmorProfile.type: Forbidden: apparmor type in annotation and field must match",
    ]);
  });
});

test("pods can be selected by the network of their host from 1.28 on", () => {
  const valuesAt = (level: ApiLevel, spec: JsonObject) => {
    const context = testApiContext({ level });
    return pods(context).selectableFields.values(testPod(context, spec));
  };
  expect(valuesAt("1.27", { hostNetwork: true })).not.toHaveProperty(["spec.hostNetwork"]);
  expect(valuesAt("1.28", { hostNetwork: true })).toHaveProperty(["spec.hostNetwork"], "true");
  expect(valuesAt("1.28", {})).toHaveProperty(["spec.hostNetwork"], "false");
});

test("seccomp profiles are no annotations from 1.25 on", () => {
  const spec = { securityContext: { seccompProfile: { type: "RuntimeDefault" } } };
  expect(created("1.24", spec).pod.metadata.annotations).toEqual({
    "seccomp.security.alpha.kubernetes.io/pod": "runtime/default",
  });
  expect(created("1.25", spec).pod.metadata.annotations).toBeUndefined();
});

test("seccomp annotations are no fields from 1.27 on", () => {
  const annotations = { "seccomp.security.alpha.kubernetes.io/pod": "unconfined" };
  expect(created("1.26", {}, {}, { annotations }).pod.spec.securityContext?.seccompProfile).toEqual({
    type: "Unconfined",
  });
  const { pod, warnings } = created("1.27", {}, {}, { annotations });
  expect(pod.spec.securityContext?.seccompProfile).toBeUndefined();
  expect(warnings).toEqual([
    'metadata.annotations[seccomp.security.alpha.kubernetes.io/pod]: non-functional in v1.27+; use the "seccompProfile" field instead',
  ]);
});

describe("generations", () => {
  test("count changes of a pod's spec from 1.33 on", () => {
    expect(created("1.33", {}).pod.metadata.generation).toBe(1);
    expect(updated("1.33", {}, container({ image: "app:2" })).pod.metadata.generation).toBe(2);
    expect(updated("1.33", {}, {}).pod.metadata.generation).toBe(1);
    expect(created("1.32", {}).pod.metadata.generation).toBeUndefined();
  });

  test("that were observed stay when a writer leaves them out", () => {
    const change = (pod: Pod, old: Pod): void => {
      old.status = {
        observedGeneration: 3,
        conditions: [{ type: "Ready", status: "True", observedGeneration: 2 }],
      };
      pod.status = {
        conditions: [
          { type: "Ready", status: "False" },
          { type: "Other", status: "True", observedGeneration: 3 },
        ],
      };
    };
    const { pod } = updated("1.34", {}, {}, { part: "status", change });
    expect(pod.status.observedGeneration).toBe(3);
    expect(pod.status.conditions?.map((condition) => condition.observedGeneration)).toEqual([2, 3]);
  });
});

test("the template of an ephemeral volume's claim is checked like a claim", () => {
  const withClaim = (metadata: JsonObject, fields: JsonObject = {}): JsonObject => {
    const spec = { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } }, ...fields };
    return { volumes: [{ name: "v", ephemeral: { volumeClaimTemplate: { metadata, spec } } }] };
  };
  const path = "spec.volumes[0].ephemeral.volumeClaimTemplate";
  expect(created("1.25", withClaim({ name: "x" })).errors).toEqual([
    `${path}.metadata.name: Forbidden: cannot be set for an ephemeral volume`,
  ]);
  const withCluster = withClaim({ clusterName: "x" });
  expect(created("1.23", withCluster).errors).toEqual([
    `${path}.metadata.clusterName: Forbidden: cannot be set for an ephemeral volume`,
  ]);
  // The name of the field in Go, which is written as it is.
  expect(created("1.24", withCluster).errors).toEqual([
    `${path}.metadata.zZZ_DeprecatedClusterName: Forbidden: cannot be set for an ephemeral volume`,
  ]);
  expect(created("1.26", withClaim({ name: "x" })).errors).toEqual([
    `${path}.metadata.name: Forbidden: cannot be set`,
  ]);
  const odd = withClaim({}, { volumeAttributesClassName: "Odd_" });
  expect(created("1.33", odd).errors).toEqual([]);
  expect(created("1.34", odd).errors).toEqual([
    expect.stringContaining(`${path}.spec.volumeAttributesClassName: Invalid value: "Odd_": a lowercase RFC`),
  ]);
});

test.each<[claims: JsonObject[], repeated: string[]]>([
  [[{ name: "a" }, { name: "a" }], ["a"]],
  [[{ name: "a" }, { name: "a", request: "r" }], ["a"]],
  [
    [
      { name: "a", request: "r" },
      { name: "a", request: "r" },
    ],
    ["a/r"],
  ],
  [
    [
      { name: "a", request: "r" },
      { name: "a", request: "s" },
    ],
    [],
  ],
  [
    [{ name: "a", request: "r" }, { name: "a", request: "s" }, { name: "a" }],
    ["a", "a"],
  ],
])("of the claims %j, %j come twice", (claims, repeated) => {
  const spec = {
    resourceClaims: [{ name: "a", resourceClaimName: "a" }],
    ...container({ resources: { claims } }),
  };
  const last = `spec.containers[0].resources.claims[${claims.length - 1}]`;
  expect(created("1.34", spec).errors).toEqual(repeated.map((name) => `${last}: Duplicate value: "${name}"`));
});

test("users of processes are named as the field is from 1.33 on", () => {
  const change = (pod: Pod): void => {
    const user = { linux: { uid: -1, gid: 0 } };
    pod.status = {
      qosClass: "BestEffort",
      containerStatuses: [
        { name: "app", image: "", imageID: "", ready: true, restartCount: 0, state: {}, lastState: {}, user },
      ],
    };
  };
  const first = (level: ApiLevel) => updated(level, {}, {}, { part: "status", change }).errors[0];
  expect(first("1.32")).toMatch(/^status.containerStatuses\[0\].linux.uid: /);
  expect(first("1.33")).toMatch(/^status.containerStatuses\[0\].user.linux.uid: /);
});

test.each<[ApiLevel, string | undefined]>([
  ["1.31", undefined],
  ["1.32", "BestEffort"],
])("at %s a status written without a class has %s", (level, expected) => {
  const change = (pod: Pod): void => {
    pod.status = { phase: "Failed" };
  };
  const { pod, errors } = updated(level, {}, {}, { part: "status", change });
  expect([pod.status.qosClass, errors]).toEqual([expected, []]);
});

test.each<[ApiLevel, string, string]>([
  ["1.28", "Guaranteed", "BestEffort"],
  ["1.29", "Guaranteed", "Guaranteed"],
  ["1.29", "", "BestEffort"],
])("at %s a pod that is created with the class %j has %s", (level, sent, made) => {
  const context = testApiContext({ level });
  const pod = testPod(context, {});
  pod.status = { qosClass: sent };
  podStrategies(context).main.prepareForCreate(write, pod);
  expect(pod.status.qosClass).toBe(made);
});

test("a negative grace period is a second from 1.27 on", () => {
  const spec = { terminationGracePeriodSeconds: -5 };
  expect(created("1.26", spec).pod.spec.terminationGracePeriodSeconds).toBe(-5);
  const { pod, warnings } = created("1.27", spec);
  expect(pod.spec.terminationGracePeriodSeconds).toBe(1);
  expect(warnings).toEqual([]);
});

describe("rules for restarts", () => {
  const rules = [{ action: "Restart", exitCodes: { operator: "In", values: [1] } }];
  const init = (fields: JsonObject): JsonObject => ({
    initContainers: [{ name: "i", image: "i", ...fields }],
  });

  test("are all checked, also where the policy is missing", () => {
    expect(created("1.36", container({ restartPolicyRules: [{ action: "x" }] })).errors).toEqual([
      "spec.containers[0].restartPolicy: Required value: must specify restartPolicy when restart rules are used",
      'spec.containers[0].restartPolicyRules[0].action: Unsupported value: "x": supported values: "Restart", "RestartAllContainers"',
      "spec.containers[0].restartPolicyRules[0].exitCodes: Required value: must be specified",
    ]);
  });

  test("of init containers need a policy from 1.35 on", () => {
    const gates = { ContainerRestartRules: true };
    expect(created("1.34", init({ restartPolicyRules: rules }), gates).errors).toEqual([]);
    expect(created("1.35", init({ restartPolicyRules: rules })).errors).toEqual([
      "spec.initContainers[0].restartPolicy: Required value: must specify restartPolicy when restart rules are used",
    ]);
  });

  test("are for sidecars where all containers may be restarted", () => {
    const side = init({ restartPolicy: "Always", restartPolicyRules: rules });
    expect(created("1.35", side).errors).toEqual([
      "spec.initContainers[0].restartPolicyRules: Forbidden: restartPolicyRules are not allowed for init containers with restart policy Always",
    ]);
    expect(created("1.36", side).errors).toEqual([]);
  });

  test("are not for ephemeral containers, whatever they say", () => {
    const debug = { name: "d", image: "d", restartPolicy: "x", restartPolicyRules: [{ action: "x" }] };
    const spec = { ...container({}), ephemeralContainers: [debug] };
    expect(updated("1.36", {}, spec, { part: "ephemeralContainers" }).errors).toEqual([
      "spec.ephemeralContainers[0].restartPolicy: Forbidden: cannot be set for an Ephemeral Container",
      "spec.ephemeralContainers[0].restartPolicyRules: Forbidden: cannot be set for an Ephemeral Container",
    ]);
  });
});

test("init containers are not restarted by a resize from 1.36 on, but for sidecars and where they were before", () => {
  const resizePolicy = [{ resourceName: "cpu", restartPolicy: "RestartContainer" }];
  const init = (fields: JsonObject): JsonObject => ({
    initContainers: [{ name: "i", image: "i", resizePolicy, ...fields }],
  });
  expect(created("1.35", init({})).errors).toEqual([]);
  expect(created("1.36", init({})).errors).toEqual([
    "spec.initContainers[0].resizePolicy[0].restartPolicy: Invalid value: \"RestartContainer\": must not be set to 'RestartContainer' for non-sidecar initContainers",
  ]);
  expect(created("1.36", init({ restartPolicy: "Always" })).errors).toEqual([]);
  expect(updated("1.36", init({}), init({})).errors).toEqual([]);
});

describe("a resize", () => {
  const sized = (cpu: string, fields: JsonObject = {}): JsonObject =>
    container({
      resources: { requests: { cpu, memory: "1Gi" }, limits: { cpu: "4", memory: "2Gi" } },
      ...fields,
    });
  const part = "resize" as const;

  test("changes cpu and memory alone", () => {
    const { pod, errors } = updated(
      "1.33",
      sized("1"),
      { ...sized("2", { image: "app:2" }), nodeSelector: { a: "b" } },
      { part },
    );
    expect(errors).toEqual([]);
    expect(pod.spec.containers?.[0]?.resources.requests?.cpu).toBe("2");
    expect(pod.spec.containers?.[0]?.image).toBe("app:1");
    expect(pod.spec.nodeSelector).toBeUndefined();
    expect(pod.metadata.generation).toBe(2);
    const storage = container({
      resources: {
        requests: { cpu: "1", memory: "1Gi", "ephemeral-storage": "1Gi" },
        limits: { cpu: "4", memory: "2Gi" },
      },
    });
    expect(updated("1.33", sized("1"), storage, { part }).errors).toEqual([
      "spec: Forbidden: only cpu and memory resources are mutable",
    ]);
  });

  test("removes nothing, and keeps the class", () => {
    expect(
      updated("1.33", sized("1"), container({ resources: { requests: { cpu: "1", memory: "1Gi" } } }), {
        part,
      }).errors,
    ).toEqual(["spec.containers[0].resources.limits: Forbidden: resource limits cannot be removed"]);
    const guaranteed = container({ resources: { limits: { cpu: "4", memory: "2Gi" } } });
    expect(updated("1.33", sized("1"), guaranteed, { part }).errors).toEqual([
      'spec: Invalid value: "Burstable": Pod QOS Class may not change as a result of resizing',
    ]);
  });

  test("lowers the limit of memory only with a restart, until 1.34", () => {
    const lower = container({
      resources: { requests: { cpu: "1", memory: "1Gi" }, limits: { cpu: "4", memory: "1Gi" } },
    });
    expect(updated("1.33", sized("1"), lower, { part }).errors).toEqual([
      "spec.containers[0].resources.limits[memory]: Forbidden: memory limits cannot be decreased unless resizePolicy is RestartContainer",
    ]);
    expect(updated("1.34", sized("1"), lower, { part }).errors).toEqual([]);
  });

  test("changes sidecars and no other init containers", () => {
    const init = (cpu: string, fields: JsonObject): JsonObject => ({
      ...sized("1"),
      initContainers: [{ name: "i", image: "i", ...fields, resources: { requests: { cpu } } }],
    });
    const always = { restartPolicy: "Always" };
    expect(updated("1.33", init("1", always), init("2", always), { part }).errors).toEqual([]);
    expect(updated("1.33", init("1", {}), init("2", {}), { part }).errors).toEqual([
      "spec: Forbidden: resources for non-sidecar init containers are immutable",
    ]);
  });

  test("is not for pods with resources of their own before these can be resized", () => {
    const own = (cpu: string): JsonObject => ({
      ...container({}),
      resources: { requests: { cpu }, limits: { cpu: "4" } },
    });
    expect(updated("1.34", own("1"), own("2"), { part }).errors).toEqual([
      "[]: Forbidden: pods with pod-level resources cannot be resized",
    ]);
    expect(updated("1.35", own("1"), own("2"), { part }).errors).toEqual([
      "[]: Forbidden: resize of pods with pod-level resources is forbidden when InPlacePodLevelResourcesVerticalScalingEnabled feature gate is disabled",
    ]);
    const { pod, errors } = updated("1.36", own("1"), own("2"), { part });
    expect(errors).toEqual([]);
    expect(pod.spec.resources?.requests).toEqual({ cpu: "2" });
    const storage = { ...own("1"), resources: { requests: { cpu: "1", "hugepages-2Mi": "2Mi" } } };
    expect(updated("1.36", own("1"), storage, { part }).errors).toContain(
      "spec: Forbidden: only cpu and memory resources are mutable at pod-level",
    );
    expect(updated("1.36", own("1"), container({}), { part }).errors).toContain(
      "spec.resources: Forbidden: pod-level resources cannot be removed",
    );
  });

  test("renames, adds and removes no container", () => {
    const other = { ...sized("2"), initContainers: [{ name: "i", image: "i" }] };
    expect(updated("1.33", sized("1"), other, { part }).errors).toEqual([
      "spec.initContainers: Forbidden: initContainers may not be added or removed on resize",
    ]);
    expect(updated("1.33", sized("1"), sized("2", { name: "other" }), { part }).errors).toEqual([
      "spec.containers[0].name: Forbidden: containers may not be renamed or reordered on resize",
    ]);
  });

  test("is refused for containers with claims, which it would have to leave out", () => {
    const claimed = (cpu: string): JsonObject => ({
      resourceClaims: [{ name: "c", resourceClaimName: "c" }],
      ...container({
        resources: { requests: { cpu, memory: "1Gi" }, limits: { cpu: "4" }, claims: [{ name: "c" }] },
      }),
    });
    expect(updated("1.34", claimed("1"), claimed("2"), { part }).errors).toEqual([
      "spec: Forbidden: only cpu and memory resources are mutable",
    ]);
  });

  test("of other resources where there were none counts from 1.35 on", () => {
    const named = (resources: JsonObject): JsonObject => ({
      containers: [
        { ...app, resources: { requests: { cpu: "1" } } },
        { name: "b", image: "b:1", resources },
      ],
    });
    const more = named({ limits: { "example.com/gpu": "1" }, requests: { "example.com/gpu": "1" } });
    expect(updated("1.34", named({}), more, { part }).errors).toEqual([]);
    expect(updated("1.35", named({}), more, { part }).errors).toEqual([
      "spec: Forbidden: only cpu and memory resources are mutable",
    ]);
  });

  test("was an update of the pod before there was a subresource", () => {
    const gates = { InPlacePodVerticalScaling: true };
    expect(updated("1.31", sized("1"), sized("2"), { gates }).errors).toEqual([]);
    expect(updated("1.33", sized("1"), sized("2"), { gates }).errors).toEqual([
      expect.stringMatching(
        /^spec: Forbidden: pod updates may not change fields other than `spec.containers\[\*\].image`,`spec.initContainers\[\*\].image`,/,
      ),
    ]);
  });
});

test("values of required node affinity are those of labels from 1.33 on", () => {
  const terms = [{ matchExpressions: [{ key: "k", operator: "In", values: ["-1"] }] }];
  const spec = {
    affinity: {
      nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: terms } },
    },
  };
  expect(created("1.32", spec).errors).toEqual([]);
  expect(created("1.33", spec).errors).toEqual([
    expect.stringMatching(/values\[0\]: Invalid value: "-1": a valid label must be /),
  ]);
});

test("a hook that sleeps stays without a handler at 1.29, and goes later, while its gate is off", () => {
  const spec = container({ lifecycle: { preStop: { sleep: { seconds: 3 } } } });
  expect(created("1.29", spec).errors).toEqual([
    "spec.containers[0].lifecycle.preStop: Required value: must specify a handler type",
  ]);
  expect(created("1.30", spec, { PodLifecycleSleepAction: false }).errors).toEqual([]);
});

test("tokens of service accounts lie within their volume from 1.30 on", () => {
  const source = { serviceAccountToken: { path: "../token" } };
  const spec = { serviceAccountName: "a", volumes: [{ name: "v", projected: { sources: [source] } }] };
  expect(created("1.29", spec).errors).toEqual([]);
  expect(created("1.30", spec).errors).toEqual([
    `spec.volumes[0].projected.path: Invalid value: "../token": must not contain '..'`,
  ]);
});

test("host ports of templates are those of their pods from 1.28 on", () => {
  const spec = { ...container({ ports: [{ containerPort: 80, hostPort: 81 }] }), hostNetwork: true };
  expect(created("1.28", spec).errors).toEqual([
    "spec.containers[0].ports[0].hostPort: Invalid value: 81: must match `containerPort` when `hostNetwork` is true",
  ]);
  expect(created("1.27", spec).errors).toEqual([
    "spec.containers[0].ports[0].containerPort: Invalid value: 80: must match `hostPort` when `hostNetwork` is true",
  ]);
});

describe("warnings", () => {
  test.each<[since: ApiLevel, below: ApiLevel, spec: JsonObject, warnings: string[]]>([
    [
      "1.28",
      "1.27",
      { volumes: [{ name: "r", rbd: { monitors: ["m"], image: "i" } }] },
      ["spec.volumes[0].rbd: deprecated in v1.28, non-functional in v1.31+"],
    ],
    [
      "1.28",
      "1.27",
      container({ ports: [{ containerPort: 80 }, { containerPort: 80 }] }),
      ["spec.containers[0].ports[1]: duplicate port definition with spec.containers[0].ports[0]"],
    ],
    [
      "1.28",
      "1.27",
      { topologySpreadConstraints: [{ maxSkew: 1, topologyKey: "z", whenUnsatisfiable: "ScheduleAnyway" }] },
      ["spec.topologySpreadConstraints[0].labelSelector: a null labelSelector results in matching no pod"],
    ],
    [
      "1.26",
      "1.25",
      {
        volumes: [
          {
            name: "e",
            ephemeral: {
              volumeClaimTemplate: {
                spec: {
                  accessModes: ["ReadWriteOnce"],
                  resources: { requests: { storage: "200m" }, limits: { storage: "400m" } },
                },
              },
            },
          },
        ],
      },
      [
        'spec.volumes[0].ephemeral.volumeClaimTemplate.spec.resources.requests[storage]: fractional byte value "200m" is invalid, must be an integer',
        'spec.volumes[0].ephemeral.volumeClaimTemplate.spec.resources.limits[storage]: fractional byte value "400m" is invalid, must be an integer',
      ],
    ],
    [
      "1.33",
      "1.32",
      {
        containers: [
          { name: "a", image: "a", ports: [{ containerPort: 80, name: "http" }] },
          {
            name: "b",
            image: "b",
            ports: [
              { containerPort: 81, name: "other" },
              { containerPort: 82, name: "http" },
              { containerPort: 83 },
              { containerPort: 84 },
            ],
          },
        ],
        initContainers: [{ name: "i", image: "i", ports: [{ containerPort: 85, name: "other" }] }],
      },
      [
        'spec.containers[1].ports[0]: duplicate port name "other" with spec.initContainers[0].ports[0], services and probes that select ports by name will use spec.initContainers[0].ports[0]',
        'spec.containers[1].ports[1]: duplicate port name "http" with spec.containers[0].ports[0], services and probes that select ports by name will use spec.containers[0].ports[0]',
      ],
    ],
    [
      "1.33",
      "1.32",
      {
        affinity: {
          nodeAffinity: {
            preferredDuringSchedulingIgnoredDuringExecution: [
              {
                weight: 1,
                preference: { matchExpressions: [{ key: "k", operator: "In", values: ["v", "-1"] }] },
              },
            ],
          },
        },
      },
      [
        expect.stringMatching(
          /^spec\.affinity\.nodeAffinity\.preferredDuringSchedulingIgnoredDuringExecution\[0\]\.preference\.matchExpressions\[0\]\.values\[1\]: -1 is invalid, a valid label must be /,
        ),
      ],
    ],
    [
      "1.32",
      "1.31",
      {
        volumes: [
          {
            name: "c",
            configMap: {
              name: "m",
              items: [
                { key: "a", path: "p" },
                { key: "b", path: "p/q" },
              ],
            },
          },
        ],
      },
      ['volume "c" (ConfigMap "m"): overlapping paths: "p/q" with "p"'],
    ],
  ])("since %s and not at %s: %j", (since, below, spec, warnings) => {
    expect(created(since, spec).warnings).toEqual(warnings);
    expect(created(below, spec).warnings).toEqual([]);
  });

  test("of variables tell what hides them from 1.28 on", () => {
    const spec = container({
      env: [
        { name: "A", value: "1" },
        { name: "A", value: "$(A)2" },
        { name: "A", value: "3" },
      ],
    });
    const hidden = 'spec.containers[0].env[2]: hides previous definition of "A"';
    expect(created("1.30", spec).warnings).toEqual([`${hidden}, which may be dropped when using apply`]);
    expect(created("1.28", spec).warnings).toEqual([hidden]);
    expect(created("1.29", spec).warnings).toEqual([hidden]);
    expect(created("1.27", spec).warnings).toEqual([
      'spec.containers[0].env[1].name: duplicate name "A"',
      'spec.containers[0].env[2].name: duplicate name "A"',
    ]);
  });

  test("of names that are no label", () => {
    const [warning] = created("1.27", {}, {}, { name: "a.b" }).warnings;
    expect(warning).toMatch(
      /^metadata.name: this is used in the Pod's hostname, which can result in surprising behavior; a DNS label is recommended: \[must not contain dots\]$/,
    );
    expect(created("1.26", {}, {}, { name: "a.b" }).warnings).toEqual([]);
  });
});

test("a static pod gets no ephemeral containers from 1.25 on", () => {
  const change = (_pod: Pod, old: Pod): void => {
    old.metadata.annotations = { "kubernetes.io/config.mirror": "x" };
  };
  expect(
    updated(
      "1.25",
      {},
      { ephemeralContainers: [{ name: "e", image: "e" }] },
      { part: "ephemeralContainers", change },
    ).errors,
  ).toEqual([": Forbidden: static pods do not support ephemeral containers"]);
});

test.each<ApiLevel>(["1.23", "1.25"])(
  "at %s, ephemeral containers obey the rules of the whole pod",
  (level) => {
    const windows = { securityContext: { windowsOptions: { hostProcess: true } } };
    const spec = { ephemeralContainers: [{ name: "e", image: "e", ...windows }] };
    expect(updated(level, {}, spec, { part: "ephemeralContainers" }).errors).toEqual([
      expect.stringMatching(/^spec: .*all containers must be HostProcess containers$/),
      expect.stringMatching(/^spec.hostNetwork: .*hostNetwork must be true/),
    ]);
  },
);

test("the host's addresses are checked as the pod's are", () => {
  const change = (pod: Pod): void => {
    pod.status = { hostIP: "10.0.0.1", hostIPs: [{ ip: "10.0.0.2" }, { ip: "10.0.0.3" }] };
  };
  expect(updated("1.29", {}, {}, { part: "status", change }).errors).toEqual([
    'status.hostIPs[0].ip: Invalid value: "10.0.0.2": must be equal to `hostIP`',
    'status.hostIPs: Invalid value: []core.HostIP{core.HostIP{IP:"10.0.0.2"}, core.HostIP{IP:"10.0.0.3"}}: may specify no more than one IP for each IP family',
  ]);
});

test.each<[level: ApiLevel, why: string]>([
  ["1.26", "ip <nil> is invalid"],
  ["1.27", "invalid IP[0]: x"],
])("at %s, addresses of a pod that are none are told", (level, why) => {
  const change = (pod: Pod): void => {
    pod.status = { podIP: "x", podIPs: [{ ip: "x" }, { ip: "10.0.0.1" }] };
  };
  expect(updated(level, {}, {}, { part: "status", change }).errors).toContain(
    `status.podIPs: Internal error: failed to check for dual stack with error:${why}`,
  );
});

test("repeated addresses of the host are told before their families, those of the pod after", () => {
  const change = (pod: Pod): void => {
    const twice = [{ ip: "10.0.0.1" }, { ip: "10.0.0.1" }];
    pod.status = { podIP: "10.0.0.1", podIPs: twice, hostIP: "10.0.0.1", hostIPs: twice };
  };
  const printed = (kind: string): string => `core.${kind}{IP:"10.0.0.1"}`;
  const families = (kind: string): string =>
    `Invalid value: []core.${kind}{${printed(kind)}, ${printed(kind)}}: may specify no more than one IP for each IP family`;
  expect(updated("1.28", {}, {}, { part: "status", change }).errors).toEqual([
    `status.podIPs: ${families("PodIP")}`,
    `status.podIPs[1]: Duplicate value: ${printed("PodIP")}`,
    `status.hostIPs[1]: Duplicate value: ${printed("HostIP")}`,
    `status.hostIPs: ${families("HostIP")}`,
  ]);
});

test.each<[level: ApiLevel, change: string]>([
  ["1.23", '- \tnodeName: "b"\n+ \tnodeName: "a"'],
  ["1.24", '- \tnodeName: "a"\n+ \tnodeName: "b"'],
])("at %s, a change that is refused is shown in the direction of the level", (level, change) => {
  expect(updated(level, { nodeName: "a" }, { nodeName: "b" }).errors).toEqual([
    expect.stringContaining(`\n  {\n${change}\n  }`),
  ]);
});
