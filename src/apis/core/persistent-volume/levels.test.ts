import { describe, expect, test } from "vitest";
import { withErrorTextsOf } from "../../../apimachinery/errors/error-texts.js";
import type { JsonObject } from "../../../apimachinery/json/json-value.js";
import type { ApiLevel } from "../../../apimachinery/levels/api-level.js";
import { type TestContextChoices, testApiContext, testWriteContext } from "../../testing/api-context.js";
import { kindGround } from "../../testing/kind-ground.js";
import { kindUnderTest } from "../../testing/kind-under-test.js";
import { persistentVolumes } from "./resource.js";

const at = (level: ApiLevel, gates: TestContextChoices["gates"] = {}) =>
  kindGround(persistentVolumes(testApiContext({ level, gates })), level);

const csi = { driver: "d.example.com", volumeHandle: "h" };
const withSource = (source: JsonObject, more: JsonObject = {}): JsonObject => ({
  metadata: { name: "a" },
  spec: { capacity: { storage: "1Gi" }, accessModes: ["ReadWriteOnce"], ...source },
  ...more,
});
const volume = (spec: JsonObject = {}, more?: JsonObject): JsonObject => withSource({ csi, ...spec }, more);
const onZone = (key: string, zone = "a"): JsonObject => ({
  nodeAffinity: {
    required: { nodeSelectorTerms: [{ matchExpressions: [{ key, operator: "In", values: [zone] }] }] },
  },
});

describe("the time of the phase", () => {
  const now = "2022-01-01T00:00:00Z";
  const phase = (name: string, lastPhaseTransitionTime?: string): JsonObject =>
    volume({}, { status: { phase: name, ...(lastPhaseTransitionTime && { lastPhaseTransitionTime }) } });
  const timeAfter = (level: ApiLevel, old: JsonObject, json: JsonObject) =>
    at(level).rewrite(old, json, "status").status.lastPhaseTransitionTime;

  test("is recorded since 1.29", () => {
    expect(at("1.28").write(volume()).status.lastPhaseTransitionTime).toBeUndefined();
    expect(at("1.29").write(volume()).status.lastPhaseTransitionTime).toBe(now);
    expect(timeAfter("1.28", phase("Pending"), phase("Bound"))).toBeUndefined();
    expect(timeAfter("1.35", phase("Pending"), phase("Bound"))).toBe(now);
  });

  test("is the writer's own where it gives one, and stays with the phase", () => {
    const [first, second] = ["2021-01-01T00:00:00Z", "2021-02-01T00:00:00Z"];
    expect(timeAfter("1.29", phase("Pending", first), phase("Bound", second))).toBe(second);
    expect(timeAfter("1.29", phase("Pending", first), phase("Bound", first))).toBe(now);
    expect(timeAfter("1.29", phase("Bound", first), phase("Bound"))).toBe(first);
  });
});

describe("affinity to nodes", () => {
  const beta = volume(onZone("failure-domain.beta.kubernetes.io/zone"));
  const stable = volume(onZone("topology.kubernetes.io/zone"));

  test("moves from deprecated labels since 1.27", () => {
    expect(at("1.26").updateErrors(beta, stable)).toEqual([
      expect.stringMatching(/^nodeAffinity: Invalid value: .*: field is immutable$/),
    ]);
    expect(at("1.27").updateErrors(beta, stable)).toEqual([]);
    expect(at("1.27").updateErrors(stable, beta)).toHaveLength(1);
    // An empty key is invalid, but nothing else is.
    expect(
      at("1.27")
        .updateErrors(stable, volume(onZone("")))
        .join(),
    ).not.toContain("immutable");
    const other = volume(onZone("topology.kubernetes.io/zone", "b"));
    expect(at("1.27").updateErrors(beta, other)).toHaveLength(1);
    const selector =
      '"NodeSelectorTerms":[{"MatchExpressions":[{"Key":"topology.kubernetes.io/zone","Operator":"In","Values":["b"]}],"MatchFields":null}]';
    expect(withErrorTextsOf(34, () => at("1.34").updateErrors(beta, other))).toEqual([
      `nodeAffinity: Invalid value: {"Required":{${selector}}}: field is immutable, except for updating from beta label to GA`,
    ]);
  });

  test("is mutable while its gate is on", () => {
    const other = volume(onZone("topology.kubernetes.io/zone", "b"));
    expect(at("1.35").updateErrors(stable, other)).toHaveLength(1);
    expect(at("1.35", { MutablePVNodeAffinity: true }).updateErrors(stable, other)).toEqual([]);
  });
});

test("the class of volume attributes is for volumes of drivers, since 1.34", () => {
  const gold = volume({ volumeAttributesClassName: "gold" });
  expect(at("1.34").createErrors(gold)).toEqual([]);
  expect(at("1.34").createErrors(volume({ volumeAttributesClassName: "" }))).toEqual([
    "spec.volumeAttributesClassName: Required value: an empty string is disallowed",
  ]);
  expect(
    at("1.34").createErrors(withSource({ hostPath: { path: "/x" }, volumeAttributesClassName: "gold" })),
  ).toEqual(["spec.csi: Required value: has to be specified when using volumeAttributesClassName"]);
  expect(at("1.34").updateErrors(gold, volume({ volumeAttributesClassName: "silver" }))).toEqual([]);
  expect(at("1.34").updateErrors(gold, volume())).toEqual([
    "spec.volumeAttributesClassName: Forbidden: update from non-nil value to nil is forbidden",
  ]);
  expect(at("1.33").updateErrors(gold, volume({ volumeAttributesClassName: "silver" }))).toEqual([
    "spec.volumeAttributesClassName: Forbidden: update is forbidden when the VolumeAttributesClass feature gate is disabled",
  ]);
});

test.each<[ApiLevel, string[]]>([
  [
    "1.30",
    [
      "spec.volumeAttributesClassName: Forbidden: update is forbidden when the VolumeAttributesClass feature gate is disabled",
    ],
  ],
  ["1.31", []],
])("at %s, a class of volume attributes that comes while its gate is off gives %j", (level, errors) => {
  const gold = volume({ volumeAttributesClassName: "gold" });
  const kind = kindUnderTest(persistentVolumes(testApiContext({ level })), level);
  expect(kind.create(gold).object.spec.volumeAttributesClassName).toBe(level === "1.30" ? "gold" : undefined);
  expect(kind.update(gold, volume()).errors).toEqual(errors);
});

test("warnings", () => {
  const odd = {
    ...withSource({
      rbd: { image: "i", monitors: ["m"] },
      persistentVolumeReclaimPolicy: "Recycle",
      ...onZone("failure-domain.beta.kubernetes.io/zone"),
    }),
    metadata: {
      name: "a",
      annotations: {
        "volume.beta.kubernetes.io/storage-class": "x",
        "volume.beta.kubernetes.io/mount-options": "ro",
      },
    },
  };
  const warnings = (level: ApiLevel) => {
    const { strategy } = persistentVolumes(testApiContext({ level }));
    return strategy.warningsOnCreate?.(testWriteContext(), at(level).write(odd)) ?? [];
  };
  const label =
    'spec.nodeAffinity.required.nodeSelectorTerms[0].matchExpressions[0].key: failure-domain.beta.kubernetes.io/zone is deprecated since v1.17; use "topology.kubernetes.io/zone" instead';
  expect(warnings("1.24")).toEqual([]);
  expect(warnings("1.25")).toEqual([label]);
  expect(warnings("1.27")).toEqual([label]);
  expect(warnings("1.29").join()).not.toContain("Recycle");
  expect(warnings("1.30").join()).toContain("Recycle");
  const mountOptions = "metadata.annotations[volume.beta.kubernetes.io/mount-options]";
  expect(warnings("1.30").join()).not.toContain(mountOptions);
  expect(warnings("1.31")).toEqual([
    'metadata.annotations[volume.beta.kubernetes.io/storage-class]: deprecated since v1.8; use "storageClassName" attribute instead',
    `${mountOptions}: deprecated since v1.31; use "mountOptions" attribute instead`,
    "spec.persistentVolumeReclaimPolicy: The Recycle reclaim policy is deprecated. Instead, the recommended approach is to use dynamic provisioning.",
    label,
    "spec.rbd: deprecated in v1.28, non-functional in v1.31+",
  ]);
});

test("secrets of drivers have names of subdomains since 1.27, and are checked in their place since 1.25", () => {
  const problems = (level: ApiLevel, name: string) =>
    at(level)
      .createErrors(volume({ csi: { ...csi, controllerPublishSecretRef: { name, namespace: "n" } } }))
      .map((text) => text.slice(0, text.indexOf(":")));
  const levels = ["1.24", "1.25", "1.26", "1.27"] as const;
  expect(levels.map((level) => problems(level, "a.b"))).toEqual([
    ["spec.csi.name"],
    ["spec.csi.controllerPublishSecretRef.name"],
    ["spec.csi.controllerPublishSecretRef.name"],
    [],
  ]);
  expect(problems("1.35", "A")).toEqual(["spec.csi.controllerPublishSecretRef.name"]);
  const expanded = volume({ csi: { ...csi, nodeExpandSecretRef: { namespace: "n" } } });
  expect(at("1.35").createErrors(expanded)).toEqual(["spec.csi.nodeExpandSecretRef.name: Required value"]);
});
