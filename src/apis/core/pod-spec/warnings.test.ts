import { expect, test } from "vitest";
import { FieldPath } from "../../../apimachinery/errors/field-error.js";
import type { JsonObject } from "../../../apimachinery/json/json-value.js";
import { testApiContext } from "../../testing/api-context.js";
import { testPod } from "../../testing/pod-fixture.js";
import { podTemplateWarnings } from "./warnings.js";

const context = testApiContext();

function warningsOf(spec: JsonObject, metadata: JsonObject = {}): string[] {
  return podTemplateWarnings(context, FieldPath.of("template"), testPod(context, spec, metadata));
}

const nodePath = "template.spec.affinity.nodeAffinity";
const zone = 'deprecated since v1.17; use "topology.kubernetes.io/zone" instead';
const seccomp = 'deprecated since v1.19, non-functional in v1.25+; use the "seccompProfile" field instead';

test("an ordinary pod gives no warnings", () => {
  expect(warningsOf({ nodeSelector: { "kubernetes.io/os": "linux" } }, { annotations: { a: "b" } })).toEqual(
    [],
  );
});

test.each<[JsonObject, string[]]>([
  [
    { nodeSelector: { "beta.kubernetes.io/os": "linux" } },
    [
      'template.spec.nodeSelector[beta.kubernetes.io/os]: deprecated since v1.14; use "kubernetes.io/os" instead',
    ],
  ],
  [
    {
      affinity: {
        nodeAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: {
            nodeSelectorTerms: [
              { matchExpressions: [{ key: "failure-domain.beta.kubernetes.io/zone", operator: "Exists" }] },
            ],
          },
          preferredDuringSchedulingIgnoredDuringExecution: [
            {
              weight: 1,
              preference: {
                matchExpressions: [{ key: "failure-domain.beta.kubernetes.io/zone", operator: "Exists" }],
              },
            },
          ],
        },
      },
    },
    [
      `${nodePath}.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0].matchExpressions[0].key: failure-domain.beta.kubernetes.io/zone is ${zone}`,
      `${nodePath}.preferredDuringSchedulingIgnoredDuringExecution[0].preference.matchExpressions[0].key: failure-domain.beta.kubernetes.io/zone is ${zone}`,
    ],
  ],
  [
    {
      topologySpreadConstraints: [
        { maxSkew: 1, topologyKey: "beta.kubernetes.io/arch", whenUnsatisfiable: "DoNotSchedule" },
      ],
    },
    [
      'template.spec.topologySpreadConstraints[0].topologyKey: beta.kubernetes.io/arch is deprecated since v1.14; use "kubernetes.io/arch" instead',
    ],
  ],
  [
    {
      volumes: [
        { name: "a", photonPersistentDisk: { pdID: "p" } },
        { name: "b", gitRepo: { repository: "r" } },
        { name: "c", scaleIO: { gateway: "g", system: "s", secretRef: { name: "n" } } },
        { name: "d", flocker: { datasetName: "d" } },
        { name: "e", storageos: { volumeName: "v" } },
        { name: "f", quobyte: { registry: "r", volume: "v" } },
        { name: "a", emptyDir: {} },
      ],
    },
    [
      "template.spec.volumes[0].photonPersistentDisk: deprecated in v1.11, non-functional in v1.16+",
      "template.spec.volumes[1].gitRepo: deprecated in v1.11",
      "template.spec.volumes[2].scaleIO: deprecated in v1.16, non-functional in v1.22+",
      "template.spec.volumes[3].flocker: deprecated in v1.22, support removal is planned in v1.26",
      "template.spec.volumes[4].storageOS: deprecated in v1.22, support removal is planned in v1.26",
      "template.spec.volumes[5].quobyte: deprecated in v1.22, support removal is planned in v1.26",
      'template.spec.volumes[6].name: duplicate name "a"',
    ],
  ],
  [
    {
      hostAliases: [{ ip: "1.1.1.1" }, { ip: "1.1.1.1" }],
      imagePullSecrets: [{ name: "a" }, { name: "a" }, {}],
    },
    [
      'template.spec.hostAliases[1].ip: duplicate ip "1.1.1.1"',
      'template.spec.imagePullSecrets[1].name: duplicate name "a"',
      'template.spec.imagePullSecrets[2].name: invalid empty name ""',
    ],
  ],
  [
    { containers: [{ name: "a", image: "a", resources: { requests: { memory: "100m" } } }] },
    [
      'template.spec.containers[0].resources.requests[memory]: fractional byte value "100m" is invalid, must be an integer',
    ],
  ],
  [
    {
      containers: [
        {
          name: "a",
          image: "a",
          env: [
            { name: "A", value: "1" },
            { name: "B", value: "2" },
            { name: "A", value: "$(A)3" },
          ],
        },
      ],
    },
    ['template.spec.containers[0].env[2].name: duplicate name "A"'],
  ],
])("%j: %j", (spec, expected) => {
  expect(warningsOf(spec)).toEqual(expected);
});

test("annotations that have become fields", () => {
  const annotations = {
    "scheduler.alpha.kubernetes.io/critical-pod": "",
    "seccomp.security.alpha.kubernetes.io/pod": "unconfined",
    "container.seccomp.security.alpha.kubernetes.io/app": "unconfined",
  };
  const path = "template.metadata.annotations";
  expect(warningsOf({}, { annotations })).toEqual([
    `${path}[scheduler.alpha.kubernetes.io/critical-pod]: non-functional in v1.16+; use the "priorityClassName" field instead`,
    `${path}[seccomp.security.alpha.kubernetes.io/pod]: ${seccomp}`,
    `${path}[container.seccomp.security.alpha.kubernetes.io/app]: ${seccomp}`,
  ]);
});
