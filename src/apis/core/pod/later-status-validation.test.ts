import { expect, test } from "vitest";
import type { JsonObject } from "../../../apimachinery/json/json-value.js";
import type { ApiLevel } from "../../../apimachinery/levels/api-level.js";
import type { FeatureGateName } from "../../../apimachinery/levels/feature-gates/feature-gates.js";
import { testApiContext } from "../../testing/api-context.js";
import { kindUnderTest } from "../../testing/kind-under-test.js";
import { pods } from "./resource.js";

/** Gates of the fields under test, where the level knows them. */
const gates: { readonly [N in FeatureGateName]?: boolean } = {
  DynamicResourceAllocation: true,
  DRAExtendedResource: true,
  DRANodeAllocatableResources: true,
  ResourceHealthStatus: true,
  ImageVolume: true,
  ImageVolumeWithDigest: true,
};

const container = (name: string, more: JsonObject = {}): JsonObject => ({
  name,
  image: "i",
  terminationMessagePolicy: "File",
  ...more,
});
const withDevices = container("c", {
  resources: {
    requests: { "a.b/gpu": 1 },
    limits: { "a.b/gpu": 1 },
    claims: [{ name: "x", request: "r" }, { name: "x" }],
  },
});

/** The errors of a status that a pod gets. */
function errorsAt(level: ApiLevel, status: JsonObject, spec: JsonObject = {}): readonly string[] {
  const kind = kindUnderTest(pods(testApiContext({ level, gates })), level);
  const pod = (of: JsonObject): JsonObject => ({
    metadata: { name: "p" },
    spec: { nodeName: "n", containers: [container("c")], ...spec },
    status: of,
  });
  return kind.update(pod(status), pod({}), "status").errors;
}

const extendedPath = "status.extendedResourceClaimStatus";
const extended = (mappings: readonly (readonly [string, string, string])[], resourceClaimName = "claim") => ({
  extendedResourceClaimStatus: {
    requestMappings: mappings.map(([containerName, resourceName, requestName]) => ({
      containerName,
      resourceName,
      requestName,
    })),
    resourceClaimName,
  },
});
const gpu = ["c", "a.b/gpu", "r-0"] as const;

test.each<[string, JsonObject, readonly unknown[]]>([
  ["a request for a resource", extended([gpu]), []],
  ["two requests", extended([gpu, ["c", "a.b/gpu", "r-1"]]), []],
  [
    "nothing",
    extended([], ""),
    [
      `${extendedPath}.requestMappings: Required value: at least one request mapping is required`,
      `${extendedPath}.resourceClaimName: Required value`,
    ],
  ],
  [
    "what the pod does not have",
    extended([
      ["x", "a.b/gpu", "r"],
      ["c", "a.b/x", "r"],
    ]),
    [
      `${extendedPath}.requestMappings[0].containerName: Invalid value: "x": must match the name of an entry in spec.initContainers.name or spec.containers.name`,
      `${extendedPath}.requestMappings[1].resourceName: Invalid value: "a.b/x": must match the extended resource name of an entry in spec.initContainers.resources.requests or spec.containers.resources.requests`,
    ],
  ],
  [
    "the same twice, for a claim without a right name",
    extended([gpu, gpu], "A"),
    [
      `${extendedPath}.requestMappings[1].containerName: Duplicate value: "c"`,
      `${extendedPath}.requestMappings[1].resourceName: Duplicate value: "a.b/gpu"`,
      `${extendedPath}.requestMappings[1].requestName: Duplicate value: "r-0"`,
      expect.stringContaining(`${extendedPath}.resourceClaimName: Invalid value: "A"`),
    ],
  ],
  [
    "a request without a right name",
    extended([["c", "a.b/gpu", "A"]]),
    [expect.stringContaining(`${extendedPath}.requestName: Invalid value: "A"`)],
  ],
])("the claim for extended resources maps %s", (_what, status, errors) => {
  const spec = { containers: [withDevices], resourceClaims: [{ name: "x", resourceClaimName: "y" }] };
  expect(errorsAt("1.36", status, spec)).toEqual(errors);
  expect(errorsAt("1.35", status, spec)).toEqual(errors);
});

test("at 1.34, a resource of a container is mapped to one request; before, to none", () => {
  const spec = { containers: [withDevices], resourceClaims: [{ name: "x", resourceClaimName: "y" }] };
  expect(errorsAt("1.34", extended([gpu, ["c", "a.b/gpu", "r-1"]]), spec)).toEqual([
    `${extendedPath}.requestMappings[1].containerName: Duplicate value: "c"`,
    `${extendedPath}.requestMappings[1].resourceName: Duplicate value: "a.b/gpu"`,
  ]);
  expect(() => errorsAt("1.33", extended([gpu]), spec)).toThrow("extendedResourceClaimStatus");
});

test.each<[ApiLevel, string]>([
  ["1.35", "name"],
  ["1.36", "resourceClaimName"],
])("at %s, the claim of a pod without a right name is told by the field %s", (level, field) => {
  const status = { resourceClaimStatuses: [{ name: "x", resourceClaimName: "A" }] };
  expect(
    errorsAt(level, status, { resourceClaims: [{ name: "x", resourceClaimTemplateName: "y" }] }),
  ).toEqual([expect.stringContaining(`status.resourceClaimStatuses[0].${field}: Invalid value: "A"`)]);
});

test.each<[JsonObject, readonly string[]]>([
  [{ resourceClaimName: "mine", containers: ["c"], resources: { cpu: "1" } }, []],
  [{ resourceClaimName: "made", containers: ["c"], resources: { memory: "1" } }, []],
  [
    { resourceClaimName: "", containers: [], resources: {} },
    [
      "resourceClaimName: Required value: must not be empty",
      'resourceClaimName: Invalid value: "": no mapping found in pod reference',
      "containers: Required value: must not be empty",
      "resources: Required value: must not be empty",
    ],
  ],
  [
    { resourceClaimName: "mine", containers: ["c"], resources: { "a.b/c": "1", cpu: "-1" } },
    [
      'resources[a.b/c]: Invalid value: "a.b/c": must be a node allocatable resource name',
      'resources[cpu]: Invalid value: "-1": must be non-negative',
    ],
  ],
])("what a claim takes of the node itself: %j", (told, errors) => {
  const status = {
    resourceClaimStatuses: [{ name: "y", resourceClaimName: "made" }],
    nodeAllocatableResourceClaimStatuses: [told],
  };
  const resourceClaims = [
    { name: "x", resourceClaimName: "mine" },
    { name: "y", resourceClaimTemplateName: "t" },
  ];
  const path = "status.nodeAllocatableResourceClaimStatuses[0]";
  expect(errorsAt("1.36", status, { resourceClaims })).toEqual(errors.map((text) => `${path}.${text}`));
});

const healthOf = (name: string, ...resources: JsonObject[]): JsonObject => ({
  containerStatuses: [{ name: "c", image: "i", allocatedResourcesStatus: [{ name, resources }] }],
});
const told = "status.containerStatuses[0].allocatedResourcesStatus[0]";

test.each<[ApiLevel, JsonObject, readonly unknown[]]>([
  ["1.32", healthOf("claim:x/r", { resourceID: "1", health: "Healthy" }), []],
  ["1.36", healthOf("claim:x", { resourceID: "1", health: "Unknown", message: "m" }), []],
  [
    "1.31",
    healthOf("claim:x"),
    [`${told}.name: Invalid value: "claim:x": must match one of the container's resource requirements`],
  ],
  [
    "1.32",
    healthOf("claim:z"),
    [
      `${told}.name: Invalid value: "claim:z": must match one of the container's resource claims in a format 'claim:<claimName>/<request>' or 'claim:<claimName>' if request is empty`,
    ],
  ],
  [
    "1.36",
    healthOf("a.b/x"),
    [`${told}.name: Invalid value: "a.b/x": must match one of the container's resource requests`],
  ],
  [
    "1.36",
    healthOf(
      "a.b/gpu",
      { resourceID: "1", health: "Ill", message: "" },
      { resourceID: "1", health: "Healthy", message: "m".repeat(1025) },
    ),
    [
      `${told}.resources[0].health: Unsupported value: "Ill": supported values: "Healthy", "Unhealthy", "Unknown"`,
      `${told}.resources[0].message: Required value: must be non-empty if specified`,
      expect.stringMatching(/resources\[1\]\.message: Too long: .* 1024 bytes$/),
      `${told}.resources[1].resourceID: Duplicate value: "1"`,
    ],
  ],
  [
    "1.36",
    { ephemeralContainerStatuses: [{ name: "e", image: "i", allocatedResourcesStatus: [{ name: "cpu" }] }] },
    [
      "status.ephemeralContainerStatuses[0].allocatedResourcesStatus: Forbidden: must not be specified in container status",
    ],
  ],
  [
    "1.36",
    { containerStatuses: [{ name: "gone", image: "i", allocatedResourcesStatus: [{ name: "whatever" }] }] },
    [],
  ],
])("at %s, the health of devices %j", (level, status, errors) => {
  const spec = { containers: [withDevices], resourceClaims: [{ name: "x", resourceClaimName: "y" }] };
  expect(errorsAt(level, status, spec)).toEqual(errors);
});

test("since 1.36, the image of a volume is named", () => {
  const volumeMounts = [{ name: "v", mountPath: "/v", volumeStatus: { image: { imageRef: "" } } }];
  const status = { containerStatuses: [{ name: "c", image: "i", volumeMounts }] };
  const path = "status.containerStatuses[0].volumeMounts[0].volumeStatus.imageVolumeStatus.imageRef";
  expect(errorsAt("1.36", status)).toEqual([`${path}: Required value: imageRef must not be empty`]);
});

test("since 1.33, generations are none below zero, and conditions are part of the status", () => {
  const type = "a b";
  const status = { observedGeneration: -1, conditions: [{ type, status: "True", observedGeneration: -2 }] };
  expect(errorsAt("1.36", status)).toEqual([
    "status.conditions[0].observedGeneration: Invalid value: -2: must be a non-negative integer",
    expect.stringContaining('status.conditions[0].Type: Invalid value: "a b"'),
    "status.observedGeneration: Invalid value: -1: must be a non-negative integer",
  ]);
  expect(errorsAt("1.32", { conditions: [{ type, status: "True" }] })).toEqual([
    expect.stringContaining('metadata.conditions[0].Type: Invalid value: "a b"'),
  ]);
});

test("since 1.35, a pod that has a node waits for no other", () => {
  const status = { nominatedNodeName: "m" };
  const error =
    "status.nominatedNodeName: Forbidden: may not be set on pods that are already bound to a node";
  expect(errorsAt("1.34", status)).toEqual([]);
  expect(errorsAt("1.35", status)).toEqual([error]);
  expect(errorsAt("1.36", status)).toEqual([error]);
  expect(errorsAt("1.36", status, { nodeName: "" })).toEqual([]);
});
