import { describe, expect, test } from "vitest";
import { findErrors } from "../../apimachinery/errors/field-error.js";
import type { JsonObject } from "../../apimachinery/json/json-value.js";
import { type ApiLevel, minorOf } from "../../apimachinery/levels/api-level.js";
import { testApiContext, testWriteContext } from "../testing/api-context.js";
import { kindGround } from "../testing/kind-ground.js";
import { csiDrivers } from "./csi-driver/resource.js";
import { csiNodes } from "./csi-node/resource.js";
import { csiStorageCapacities } from "./csi-storage-capacity/resource.js";
import { storageClasses } from "./storage-class/resource.js";
import { volumeAttachments } from "./volume-attachment/resource.js";

const write = testWriteContext();
const metadata = { name: "d.example.com", resourceVersion: "1" };

describe("drivers", () => {
  const at = (level: ApiLevel) => kindGround(csiDrivers(testApiContext({ level })), level);
  const driver = (spec: JsonObject): JsonObject => ({ metadata, spec });

  test("mount with SELinux labels or not, since 1.28", () => {
    expect(at("1.27").read(driver({})).spec.seLinuxMount).toBeUndefined();
    expect(at("1.28").read(driver({})).spec.seLinuxMount).toBe(false);
  });

  test("change what they are told, and how groups are set, since 1.30", () => {
    const old = driver({ podInfoOnMount: false, fsGroupPolicy: "None" });
    const now = driver({ podInfoOnMount: true, fsGroupPolicy: "File" });
    expect(at("1.29").updateErrors(old, now)).toHaveLength(2);
    expect(at("1.30").updateErrors(old, now)).toEqual([]);
    expect(
      at("1.35").updateErrors(driver({ attachRequired: true }), driver({ attachRequired: false })),
    ).toHaveLength(1);
  });

  test("have the errors of their tokens twice on updates before 1.30", () => {
    const old = driver({});
    const now = driver({ tokenRequests: [{ audience: "a" }, { audience: "a" }] });
    expect(at("1.29").updateErrors(old, now)).toHaveLength(2);
    expect(at("1.30").updateErrors(old, now)).toHaveLength(1);
  });

  test("report counts every ten seconds at most", () => {
    expect(at("1.35").createErrors(driver({ nodeAllocatableUpdatePeriodSeconds: 10 }))).toEqual([]);
    expect(at("1.35").createErrors(driver({ nodeAllocatableUpdatePeriodSeconds: 9 }))).toEqual([
      "spec.nodeAllocatableUpdatePeriodSeconds: Invalid value: 9: must be greater than or equal to 10 seconds",
    ]);
  });

  test("are told since 1.35 that their tokens are among attributes", () => {
    const tokenRequests = [{ audience: "a" }];
    const warnings = (level: ApiLevel, spec: JsonObject, old?: JsonObject) => {
      const { strategy } = csiDrivers(testApiContext({ level }));
      const object = at(level).read(driver(spec));
      if (old === undefined) return strategy.warningsOnCreate?.(write, object);
      return strategy.warningsOnUpdate?.(write, object, at(level).read(driver(old)));
    };
    expect(warnings("1.34", { tokenRequests })).toEqual([]);
    expect(warnings("1.35", { tokenRequests })).toEqual([
      "spec.serviceAccountTokenInSecrets is unset; if supported by this CSI driver, set to true to prevent possible logging of tokens in volume attributes",
    ]);
    expect(warnings("1.35", { tokenRequests, serviceAccountTokenInSecrets: false })).toEqual([]);
    expect(warnings("1.35", { tokenRequests }, {})).toHaveLength(1);
    expect(warnings("1.35", { tokenRequests }, { tokenRequests })).toEqual([]);
  });

  test("get tokens among secrets when they get tokens", () => {
    const tokenRequests = [{ audience: "a" }];
    expect(at("1.35").createErrors(driver({ tokenRequests, serviceAccountTokenInSecrets: true }))).toEqual(
      [],
    );
    expect(at("1.35").createErrors(driver({ serviceAccountTokenInSecrets: true }))).toHaveLength(1);
  });
});

test("the count of volumes that a node takes may change since 1.35", () => {
  const at = (level: ApiLevel) => kindGround(csiNodes(testApiContext({ level })), level);
  const node = (count: number, nodeID = "n"): JsonObject => ({
    metadata,
    spec: { drivers: [{ name: "d.example.com", nodeID, topologyKeys: [], allocatable: { count } }] },
  });
  expect(at("1.34").updateErrors(node(1), node(2))).toHaveLength(1);
  expect(at("1.35").updateErrors(node(1), node(2))).toEqual([]);
  expect(at("1.35").updateErrors(node(1), node(1, "m"))).toHaveLength(1);
});

test.each<[ApiLevel, string]>([
  ["1.32", "CSINodeDriver"],
  ["1.33", "spec.drivers"],
  ["1.35", "spec.drivers"],
])("at %s, a driver of a node that changes is told of at %s", (level, path) => {
  const definition = csiNodes(testApiContext({ level }));
  const node = (nodeID: string) =>
    kindGround(definition, level).read({
      metadata,
      spec: { drivers: [{ name: "d.example.com", nodeID, topologyKeys: [] }] },
    });
  const validate = () => definition.strategy.validateUpdate(write, node("a"), node("b"));
  expect(findErrors(validate, minorOf(level)).errors.map(({ field }) => field)).toEqual([path]);
});

test.each<[ApiLevel, number]>([
  ["1.28", 1],
  ["1.29", 0],
])("at %s, an inline volume for one pod makes %d errors", (level, count) => {
  const attachments = kindGround(volumeAttachments(testApiContext({ level })), level);
  const inlineVolumeSpec = {
    accessModes: ["ReadWriteOncePod"],
    csi: { driver: "d.example.com", volumeHandle: "h" },
  };
  const json = {
    metadata: { name: "a" },
    spec: { attacher: "d.example.com", nodeName: "n", source: { inlineVolumeSpec } },
  };
  expect(attachments.createErrors(json)).toHaveLength(count);
});

test("what is wrong with an update of an attachment is told twice before 1.35, and once since", () => {
  const wrong = {
    metadata: { name: "a", resourceVersion: "1" },
    spec: { attacher: "a.b", source: { persistentVolumeName: "v" }, nodeName: "N" },
  };
  const count = (level: ApiLevel) =>
    kindGround(volumeAttachments(testApiContext({ level })), level).updateErrors(wrong, wrong).length;
  expect([count("1.34"), count("1.35")]).toEqual([2, 1]);
});

test("what a class may not change is refused in the words of its level", () => {
  const old = { metadata: { name: "c", resourceVersion: "1" }, provisioner: "a/b", parameters: { a: "b" } };
  const next = { ...old, provisioner: "a/c", parameters: { a: "c" }, reclaimPolicy: "Retain" };
  const errors = (level: ApiLevel) =>
    kindGround(storageClasses(testApiContext({ level })), level).updateErrors(next, old);
  const fields = ["parameters", "provisioner", "reclaimPolicy"];
  expect(errors("1.35")).toEqual(
    fields.map((field) => `${field}: Forbidden: updates to ${field} are forbidden.`),
  );
  expect(errors("1.36")).toEqual(
    fields.map((field) =>
      expect.stringMatching(new RegExp(`^${field}: Invalid value: .*: field is immutable$`)),
    ),
  );
});

test("the attacher of an attachment is checked with its other fields since 1.36", () => {
  const json = {
    metadata: { name: "a" },
    spec: { attacher: "-", nodeName: "N", source: { persistentVolumeName: "P" } },
  };
  const fields = (level: ApiLevel) =>
    kindGround(volumeAttachments(testApiContext({ level })), level)
      .createErrors(json)
      .map((error) => error.split(":", 1)[0]);
  const volume = "spec.source.persistentVolumeName";
  expect(fields("1.35")).toEqual(["spec.nodeName", "spec.attacher", volume]);
  expect(fields("1.36")).toEqual(["spec.attacher", "spec.nodeName", volume]);
});

test("an inline volume keeps and checks fields whose gates are off, as Kubernetes does", () => {
  const kind = kindGround(volumeAttachments(testApiContext({ level: "1.26" })), "1.26");
  const attachment = (nodeExpandSecretRef: JsonObject) => {
    const csi = { driver: "d.example.com", volumeHandle: "h", nodeExpandSecretRef };
    const inlineVolumeSpec = { accessModes: ["ReadWriteOnce"], csi };
    const spec = { attacher: "d.example.com", nodeName: "n", source: { inlineVolumeSpec } };
    return { metadata: { name: "a" }, spec };
  };
  const path = "spec.source.inlineVolumeSpec.csi.nodeExpandSecretRef";
  expect(kind.createErrors(attachment({ name: "s", namespace: "ns" }))).toEqual([]);
  expect(kind.createErrors(attachment({}))).toEqual([
    `${path}.name: Required value`,
    `${path}.namespace: Required value`,
  ]);
});

test("an inline volume is a file system, or does not say", () => {
  const attachments = kindGround(volumeAttachments(testApiContext({ level: "1.36" })), "1.36");
  const errors = (volumeMode: string) => {
    const csi = { driver: "d.example.com", volumeHandle: "h" };
    const inlineVolumeSpec = { accessModes: ["ReadWriteOnce"], csi, volumeMode };
    const spec = { attacher: "d.example.com", nodeName: "n", source: { inlineVolumeSpec } };
    return attachments.createErrors({ metadata: { name: "a" }, spec });
  };
  expect(errors("Filesystem")).toEqual([]);
  expect(errors("Block")).toEqual([
    "spec.source.inlineVolumeSpec.volumeMode: Forbidden: may not specify volumeMode other than Filesystem in the context of inline volumes",
  ]);
});

describe("since 1.25, deprecated node labels are warned of", () => {
  const zone = "failure-domain.beta.kubernetes.io/zone";
  const deprecated = 'deprecated since v1.17; use "topology.kubernetes.io/zone" instead';

  test("in the topologies of classes", () => {
    const warnings = (level: ApiLevel) => {
      const definition = storageClasses(testApiContext({ level }));
      const object = kindGround(definition, level).read({
        metadata,
        provisioner: "d.example.com",
        allowedTopologies: [
          { matchLabelExpressions: [{ key: "rack", values: ["r"] }] },
          { matchLabelExpressions: [{ key: zone, values: ["a"] }] },
        ],
      });
      return definition.strategy.warningsOnUpdate?.(write, object, object) ?? [];
    };
    expect(warnings("1.24")).toEqual([]);
    expect(warnings("1.25")).toEqual([`allowedTopologies[1].matchLabelExpressions[0].key: ${deprecated}`]);
  });

  test("in the topologies of capacities", () => {
    const warnings = (level: ApiLevel) => {
      const definition = csiStorageCapacities(testApiContext({ level }));
      const object = kindGround(definition, level).read({
        metadata,
        storageClassName: "fast",
        nodeTopology: { matchLabels: { [zone]: "a" }, matchExpressions: [{ key: zone, operator: "Exists" }] },
      });
      return definition.strategy.warningsOnCreate?.(write, object) ?? [];
    };
    expect(warnings("1.24")).toEqual([]);
    expect(warnings("1.25")).toEqual([
      `nodeTopology.matchExpressions[0].key: ${zone} is ${deprecated}`,
      `nodeTopology.matchLabels.${zone}: ${deprecated}`,
    ]);
  });
});

test("a driver states whether pods may be scheduled without it, where volume limits scale", () => {
  const specWith = (gates: object) =>
    kindGround(csiDrivers(testApiContext({ level: "1.36", gates })), "1.36").write({ metadata, spec: {} })
      .spec;
  expect(specWith({})).not.toHaveProperty("preventPodSchedulingIfMissing", false);
  expect(specWith({ VolumeLimitScaling: true })).toHaveProperty("preventPodSchedulingIfMissing", false);
});
