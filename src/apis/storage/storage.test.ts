import { describe, expect, test } from "vitest";
import { testApiContext } from "../testing/api-context.js";
import { changed, kindUnderTest } from "../testing/kind-under-test.js";
import { csiDrivers } from "./csi-driver/resource.js";
import { csiNodes } from "./csi-node/resource.js";
import { csiStorageCapacities } from "./csi-storage-capacity/resource.js";
import { storageClasses } from "./storage-class/resource.js";
import { volumeAttachments } from "./volume-attachment/resource.js";

const context = testApiContext();
const { domain } = context.naming;
const storageClass = kindUnderTest(storageClasses(context));
const driver = kindUnderTest(csiDrivers(context));
const node = kindUnderTest(csiNodes(context));
const capacity = kindUnderTest(csiStorageCapacities(context));
const attachment = kindUnderTest(volumeAttachments(context));

describe("storage class", () => {
  const json = {
    metadata: { name: "fast", annotations: { [`storageclass.${domain}/is-default-class`]: "true" } },
    provisioner: "example.com/disk",
    parameters: { type: "ssd" },
    allowedTopologies: [{ matchLabelExpressions: [{ key: "zone", values: ["a", "b"] }] }],
  };

  test("deletes volumes and binds them at once unless it says otherwise", () => {
    const { object, errors } = storageClass.create(json);
    expect(errors).toEqual([]);
    expect(object).toMatchObject({ reclaimPolicy: "Delete", volumeBindingMode: "Immediate" });
    expect(storageClass.cells(json)).toEqual([
      "fast (default)",
      "example.com/disk",
      "Delete",
      "Immediate",
      false,
      "<unknown>",
    ]);
  });

  test.each([
    ["provisioner", "", ["provisioner: Required value"]],
    [
      "provisioner",
      "a b",
      [expect.stringMatching(/^provisioner: Invalid value: "a b": name part must consist of/)],
    ],
    [
      "reclaimPolicy",
      "Recycle",
      ['reclaimPolicy: Unsupported value: "Recycle": supported values: "Delete", "Retain"'],
    ],
    [
      "volumeBindingMode",
      "Later",
      [
        'volumeBindingMode: Unsupported value: "Later": supported values: "Immediate", "WaitForFirstConsumer"',
      ],
    ],
    ["parameters", { "": "x" }, ['parameters: Invalid value: "": field can not be empty.']],
    ["allowedTopologies", [{}], ['allowedTopologies[0].matchLabelExpressions: Duplicate value: ""']],
    [
      "allowedTopologies.0.matchLabelExpressions.0.values",
      ["a", "a"],
      ['allowedTopologies[0].matchLabelExpressions[0].values[1]: Duplicate value: "a"'],
    ],
    [
      "allowedTopologies.0.matchLabelExpressions.0.values",
      [],
      ["allowedTopologies[0].matchLabelExpressions[0].values: Required value"],
    ],
    [
      "allowedTopologies",
      [...json.allowedTopologies, { matchLabelExpressions: [{ key: "zone", values: ["b", "a"] }] }],
      ['allowedTopologies[1].matchLabelExpressions: Duplicate value: ""'],
    ],
  ])("with %s = %j", (path, value, errors) => {
    expect(storageClass.create(changed(json, path, value)).errors).toEqual(errors);
  });

  test.each([
    ["parameters.type", "hdd", ["parameters: Forbidden: updates to parameters are forbidden."]],
    ["provisioner", "example.com/other", ["provisioner: Forbidden: updates to provisioner are forbidden."]],
    ["reclaimPolicy", "Retain", ["reclaimPolicy: Forbidden: updates to reclaimPolicy are forbidden."]],
    [
      "volumeBindingMode",
      "WaitForFirstConsumer",
      ['volumeBindingMode: Invalid value: "WaitForFirstConsumer": field is immutable'],
    ],
    ["allowVolumeExpansion", true, []],
  ])("changing %s to %j", (path, value, errors) => {
    expect(storageClass.update(changed(json, path, value), json).errors).toEqual(errors);
  });
});

test("without ExpandPersistentVolumes a storage class keeps its expansion only where it had one", () => {
  const gated = kindUnderTest(storageClasses(testApiContext({ gates: { ExpandPersistentVolumes: false } })));
  const json = { metadata: { name: "a" }, provisioner: "b", allowVolumeExpansion: true };
  expect(gated.create(json).object.allowVolumeExpansion).toBeUndefined();
  expect(gated.update(json, { ...json, allowVolumeExpansion: false }).object.allowVolumeExpansion).toBe(true);
  expect(gated.update(json, { metadata: { name: "a" }, provisioner: "b" }).object.allowVolumeExpansion).toBe(
    undefined,
  );
});

describe("volume attachment", () => {
  const json = {
    metadata: { name: "a" },
    spec: { attacher: "disk.example.com", nodeName: "n", source: { persistentVolumeName: "pv" } },
    status: { attached: true, attachError: { message: "oops" } },
  };

  test("starts without status; only the status part changes it, and nothing else", () => {
    expect(attachment.create(json)).toMatchObject({ object: { status: { attached: false } }, errors: [] });
    const next = changed(changed(json, "status.attached", false), "metadata.labels", { a: "b" });
    expect(attachment.update(next, json).object.status.attached).toBe(true);
    const { object } = attachment.update(next, json, "status");
    expect(object.status.attached).toBe(false);
    expect(object.metadata.labels).toBeUndefined();
  });

  test.each([
    [
      "spec.attacher",
      "",
      [
        "spec.attacher: Required value",
        "spec.attacher: Required value",
        expect.stringMatching(/^spec\.attacher: Invalid value: "": /),
      ],
    ],
    ["spec.nodeName", "N", [expect.stringMatching(/^spec\.nodeName: Invalid value: "N"/)]],
    [
      "spec.source",
      {},
      ["spec.source: Required value: must specify exactly one of inlineVolumeSpec and persistentVolumeName"],
    ],
    [
      "spec.source.inlineVolumeSpec",
      {},
      ["spec.source: Forbidden: must specify exactly one of inlineVolumeSpec and persistentVolumeName"],
    ],
    [
      "spec.source.persistentVolumeName",
      "P",
      [expect.stringMatching(/^spec\.source\.persistentVolumeName: Invalid value: "P"/)],
    ],
  ])("with %s = %j", (path, value, errors) => {
    expect(attachment.create(changed(json, path, value)).errors).toEqual(errors);
  });

  test("an inline volume is a CSI volume that nobody claims", () => {
    const csi = { driver: "disk.example.com", volumeHandle: "1" };
    const inline = (spec: object) =>
      changed(json, "spec.source", { inlineVolumeSpec: { accessModes: ["ReadWriteOnce"], csi, ...spec } });
    expect(attachment.create(inline({})).errors).toEqual([]);
    expect(attachment.create(inline({ capacity: { storage: "1Gi" }, storageClassName: "x" })).errors).toEqual(
      [
        "spec.source.inlineVolumeSpec.capacity: Forbidden: may not be specified in the context of inline volumes",
        "spec.source.inlineVolumeSpec.storageClassName: Forbidden: may not be specified in the context of inline volumes",
      ],
    );
  });

  test("its volumes have the defaults of volumes", () => {
    const json = {
      spec: {
        source: { inlineVolumeSpec: { capacity: { storage: "1n" }, rbd: { monitors: [], image: "i" } } },
      },
    };
    expect(attachment.decode(json, "v1alpha1").spec.source.inlineVolumeSpec).toMatchObject({
      capacity: { storage: "1m" },
      rbd: { pool: "rbd", user: "admin", keyring: "/etc/ceph/keyring" },
    });
  });

  test("never changes its spec", () => {
    expect(attachment.update(changed(json, "spec.nodeName", "m"), json).errors).toEqual([
      expect.stringMatching(/^spec: Invalid value: .*: field is immutable$/),
    ]);
  });

  test("prints what is attached where", () => {
    expect(attachment.cells(json)).toEqual(["a", "disk.example.com", "pv", "n", true, "<unknown>"]);
  });
});

describe("CSI driver", () => {
  const json = { metadata: { name: "disk.example.com" }, spec: {} };

  test("has defaults for all it does not say", () => {
    const { object, errors } = driver.create(json);
    expect(errors).toEqual([]);
    expect(object.spec).toEqual({
      attachRequired: true,
      podInfoOnMount: false,
      storageCapacity: false,
      fsGroupPolicy: "ReadWriteOnceWithFSType",
      volumeLifecycleModes: ["Persistent"],
      requiresRepublish: false,
    });
    expect(driver.cells(json)).toEqual([
      "disk.example.com",
      true,
      false,
      false,
      "<unset>",
      false,
      "Persistent",
      "<unknown>",
    ]);
  });

  test.each([
    [
      "spec.fsGroupPolicy",
      "Some",
      [
        'spec.fsGroupPolicy: Unsupported value: "Some": supported values: "File", "None", "ReadWriteOnceWithFSType"',
      ],
    ],
    [
      "spec.volumeLifecycleModes",
      ["Eternal"],
      [
        'spec.volumeLifecycleModes: Unsupported value: "Eternal": supported values: "Persistent", "Ephemeral"',
      ],
    ],
    [
      "spec.tokenRequests",
      [{ audience: "a" }, { audience: "a" }],
      ['spec.tokenRequests[1].audience: Duplicate value: "a"'],
    ],
    [
      "spec.tokenRequests",
      [{ audience: "a", expirationSeconds: 599 }],
      [
        "spec.tokenRequests[0].expirationSeconds: Invalid value: 599: may not specify a duration less than 10 minutes",
      ],
    ],
  ])("with %s = %j", (path, value, errors) => {
    expect(driver.create(changed(json, path, value)).errors).toEqual(errors);
  });

  test.each([
    ["spec.attachRequired", false, ["spec.attachedRequired: Invalid value: false: field is immutable"]],
    ["spec.podInfoOnMount", true, ["spec.podInfoOnMount: Invalid value: true: field is immutable"]],
    ["spec.storageCapacity", true, []],
    ["spec.requiresRepublish", true, []],
  ])("changing %s to %j", (path, value, errors) => {
    const update = driver.update(changed(json, path, value), json);
    expect(update.errors).toEqual(errors);
    // A new driver has none; before 1.30 only some fields count.
    const counts = path === "spec.requiresRepublish";
    expect(update.object.metadata.generation).toBe(counts ? 1 : undefined);
  });

  test("fields of switched-off gates are neither defaulted nor kept", () => {
    const gated = kindUnderTest(
      csiDrivers(testApiContext({ gates: { CSIStorageCapacity: false, CSIInlineVolume: false } })),
    );
    const { object, errors } = gated.create(changed(json, "spec.storageCapacity", true));
    expect(errors).toEqual([]);
    expect(object.spec.storageCapacity).toBeUndefined();
    expect(object.spec.volumeLifecycleModes).toBeUndefined();
  });
});

describe("CSI node", () => {
  const json = {
    metadata: { name: "n" },
    spec: { drivers: [{ name: "disk.example.com", nodeID: "1", topologyKeys: ["zone"] }] },
  };

  test.each([
    ["spec.drivers.0.topologyKeys", ["zone"], []],
    [
      "spec.drivers.0.name",
      "",
      [
        "spec.drivers[0].name: Required value",
        expect.stringMatching(/^spec\.drivers\[0\]\.name: Invalid value: ""/),
      ],
    ],
    ["spec.drivers.0.nodeID", "", ["spec.drivers[0].nodeID: Required value"]],
    ["spec.drivers.0.nodeID", "x".repeat(257), [expect.stringMatching(/: must be 256 characters or less$/)]],
    [
      "spec.drivers.0.allocatable.count",
      -1,
      ["spec.drivers[0].allocatable.count: Invalid value: -1: must be greater than or equal to 0"],
    ],
    ["spec.drivers.0.topologyKeys", ["a", "a"], ['spec.drivers[0]: Duplicate value: "a"']],
    [
      "spec.drivers.1",
      { name: "disk.example.com", nodeID: "2" },
      ['spec.drivers[1].name: Duplicate value: "disk.example.com"'],
    ],
  ])("with %s = %j", (path, value, errors) => {
    expect(node.create(changed(json, path, value)).errors).toEqual(errors);
  });

  test("drivers come and go, but do not change, and an update names each error twice", () => {
    expect(node.update({ spec: {} }, json).errors).toEqual([]);
    expect(node.update(changed(json, "spec.drivers.0.nodeID", "2"), json).errors).toEqual([
      expect.stringMatching(/^CSINodeDriver: Invalid value: .*: field is immutable$/),
    ]);
    const missing = "spec.drivers[0].nodeID: Required value";
    expect(node.update(changed(json, "spec.drivers.0.nodeID", ""), { spec: {} }).errors).toEqual([
      missing,
      missing,
    ]);
    expect(node.cells(json)).toEqual(["n", 1, "<unknown>"]);
  });
});

describe("CSI storage capacity", () => {
  const json = {
    metadata: { name: "c" },
    storageClassName: "fast",
    nodeTopology: { matchLabels: { a: "b" } },
    capacity: "1Gi",
  };

  test("changes only the answer, not the question", () => {
    expect(capacity.create(json).errors).toEqual([]);
    expect(capacity.update({ ...json, capacity: "2Gi" }, json).errors).toEqual([]);
    expect(capacity.update({ ...json, storageClassName: "slow", nodeTopology: {} }, json).errors).toEqual([
      expect.stringMatching(/^nodeTopology: Invalid value: .*: field is immutable$/),
      'storageClassName: Invalid value: "slow": field is immutable',
    ]);
  });

  test.each([
    ["capacity", "-1", ['capacity: Invalid value: "-1": must be greater than or equal to 0']],
    ["storageClassName", "Fast", [expect.stringMatching(/^storageClassName: Invalid value: "Fast"/)]],
  ])("with %s = %j, which has its errors twice up to 1.27", (path, value, errors) => {
    expect(capacity.create(changed(json, path, value)).errors).toEqual([...errors, ...errors]);
    const later = kindUnderTest(csiStorageCapacities(testApiContext({ level: "1.28" })));
    expect(later.create(changed(json, path, value)).errors).toEqual(errors);
  });

  test("has no columns of its own, as in Kubernetes", () => {
    expect(csiStorageCapacities(context).columns).toBeUndefined();
  });
});
