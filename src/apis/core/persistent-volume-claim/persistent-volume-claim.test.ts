import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../../apimachinery/json/json-value.js";
import { testApiContext } from "../../testing/api-context.js";
import { kindGround } from "../../testing/kind-ground.js";
import { persistentVolumeClaims } from "./resource.js";

const alphaOff = { AnyVolumeDataSource: false, RecoverVolumeExpansionFailure: false };
const ground = kindGround(persistentVolumeClaims(testApiContext({ gates: alphaOff })), "1.23");
const claim = (spec: JsonObject = {}, status: JsonObject = {}, metadata: JsonObject = {}): JsonObject => ({
  metadata: { name: "a", namespace: "ns", creationTimestamp: "2021-12-31T23:59:00Z", ...metadata },
  spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } }, ...spec },
  status,
});
const sized = (storage: string): JsonObject => ({ resources: { requests: { storage } } });

test("a new claim is pending and for a file system", () => {
  expect(ground.write(claim({}, { phase: "Bound" }))).toMatchObject({
    spec: { volumeMode: "Filesystem" },
    status: { phase: "Pending" },
  });
});

test.each<[JsonObject, string[]]>([
  [
    {
      storageClassName: "",
      selector: { matchLabels: { a: "b" } },
      dataSource: { kind: "PersistentVolumeClaim", name: "x" },
    },
    [],
  ],
  [
    { accessModes: [], resources: {} },
    [
      "spec.accessModes: Required value: at least 1 access mode is required",
      "spec.resources[storage]: Required value",
    ],
  ],
  [sized("0"), ['spec.resources[storage]: Invalid value: "0": must be greater than zero']],
  [
    { storageClassName: "Z", volumeMode: "x", accessModes: ["y"] },
    [
      'spec.accessModes: Unsupported value: "y": supported values: "ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod"',
      expect.stringContaining('spec.storageClassName: Invalid value: "Z"'),
      'spec.volumeMode: Unsupported value: "x": supported values: "Block", "Filesystem"',
    ],
  ],
  [
    { selector: { matchExpressions: [{ key: "a", operator: "x" }] } },
    ['spec.selector.matchExpressions[0].operator: Invalid value: "x": not a valid selector operator'],
  ],
])("a new claim %#", (spec, errors) => {
  expect(ground.createErrors(claim(spec))).toEqual(errors);
});

describe("data sources", () => {
  const snapshot = { apiGroup: "snapshot.storage.k8s.io", kind: "VolumeSnapshot", name: "s" };
  const other = { apiGroup: "example.com", kind: "Thing", name: "t" };
  const any = kindGround(persistentVolumeClaims(testApiContext()));

  test("the old field takes claims and snapshots only, and drops the rest", () => {
    expect(ground.write(claim({ dataSource: snapshot, dataSourceRef: other })).spec).toMatchObject({
      dataSource: snapshot,
      dataSourceRef: undefined,
    });
    expect(ground.write(claim({ dataSource: other })).spec.dataSource).toBeUndefined();
    expect(
      ground.rewrite(claim({ dataSource: other }), claim({ dataSource: other })).spec.dataSource,
    ).toEqual(other);
  });

  test("with the gate both fields say the same", () => {
    expect(any.write(claim({ dataSourceRef: other })).spec).toMatchObject({
      dataSource: other,
      dataSourceRef: other,
    });
    expect(any.write(claim({ dataSource: snapshot })).spec.dataSourceRef).toEqual(snapshot);
    expect(any.createErrors(claim({ dataSource: snapshot, dataSourceRef: other }))).toEqual([
      'spec: Invalid value: field.Path{name:"dataSource", index:"", parent:(*field.Path)(0xc000000000)}: must match dataSourceRef',
    ]);
    expect(any.createErrors(claim({ dataSourceRef: { kind: "", name: "" } }))).toEqual(
      ["dataSource", "dataSourceRef"].flatMap((field) => [
        `spec.${field}.name: Required value`,
        `spec.${field}.kind: Required value`,
        `spec.${field}: Invalid value: ""`,
      ]),
    );
  });
});

describe("an update", () => {
  const bound = { phase: "Bound", capacity: { storage: "1Gi" } };
  const sizePath = "spec.resources.requests.storage";
  const onlySize =
    /^spec: Forbidden: spec is immutable after creation except resources.requests for bound claims\n/;

  test("binds, once, and grows what is bound", () => {
    expect(ground.updateErrors(claim(), claim({ volumeName: "v" }))).toEqual([]);
    expect(ground.updateErrors(claim({ volumeName: "v" }), claim({ volumeName: "w" }))).toEqual([
      expect.stringMatching(onlySize),
    ]);
    expect(ground.updateErrors(claim({}, bound), claim(sized("2Gi")))).toEqual([]);
    expect(ground.updateErrors(claim(), claim(sized("2Gi")))).toEqual([expect.stringMatching(onlySize)]);
  });

  test("does not shrink", () => {
    expect(ground.updateErrors(claim(sized("2Gi"), bound), claim(sized("1Gi")))).toEqual([
      `${sizePath}: Forbidden: field can not be less than previous value`,
    ]);
    expect(ground.updateErrors(claim(sized("2Gi"), bound), claim({ resources: {} }, bound))).toEqual([
      "spec.resources[storage]: Required value",
      "spec.resources[storage]: Required value",
      `${sizePath}: Forbidden: field can not be less than previous value`,
    ]);
  });

  test("goes back after an expansion that failed, but not below what there is", () => {
    const recovery = kindGround(persistentVolumeClaims(testApiContext()));
    const failed = claim(sized("4Gi"), bound);
    expect(recovery.updateErrors(failed, claim(sized("2Gi")))).toEqual([]);
    expect(recovery.updateErrors(failed, claim(sized("1Gi")))).toEqual([
      `${sizePath}: Forbidden: field can not be less than status.capacity`,
    ]);
  });

  test("without expansion nothing changes", () => {
    const fixed = kindGround(
      persistentVolumeClaims(testApiContext({ gates: { ...alphaOff, ExpandPersistentVolumes: false } })),
    );
    expect(fixed.updateErrors(claim({}, bound), claim(sized("2Gi")))).toEqual([
      expect.stringMatching(/^spec: Forbidden: field is immutable after creation\n/),
    ]);
  });

  test("a class moves from its annotation to the field, and does not change", () => {
    const annotation = "volume.beta.kubernetes.io/storage-class";
    const annotated = (name: string): JsonObject => ({ annotations: { [annotation]: name } });
    const old = claim({}, {}, annotated("fast"));
    expect(ground.updateErrors(old, claim({ storageClassName: "fast" }, {}, annotated("fast")))).toEqual([]);
    expect(ground.updateErrors(old, claim({ storageClassName: "fast" }))).toEqual([]);
    expect(ground.updateErrors(old, claim({}, {}, annotated("slow")))).toEqual([
      `metadata.annotations.${annotation}: Invalid value: "slow": field is immutable`,
    ]);
  });

  test("keeps the volume mode", () => {
    expect(ground.updateErrors(claim(), claim({ volumeMode: "Block" }))).toEqual([
      expect.stringMatching(onlySize),
      'volumeMode: Invalid value: "Block": field is immutable',
    ]);
  });
});

describe("status", () => {
  const resizing = { allocatedResources: { storage: "2Gi" }, resizeStatus: "NodeExpansionPending" };

  test("of an expansion is behind a gate, and stays where it is in use", () => {
    expect(ground.rewrite(claim(), claim({}, resizing), "status").status).toMatchObject({
      allocatedResources: undefined,
      resizeStatus: undefined,
    });
    expect(ground.rewrite(claim({}, resizing), claim({}, resizing), "status").status).toMatchObject(resizing);
  });

  test("is checked", () => {
    const recovery = kindGround(persistentVolumeClaims(testApiContext()));
    const status = {
      capacity: { storage: "-1" },
      resizeStatus: "x",
      allocatedResources: { cpu: "1", storage: "-1" },
    };
    expect(recovery.updateErrors(claim(), claim({}, status), "status")).toEqual([
      "status.capacity[storage]: Invalid value: -1: must be a valid resource quantity",
      'status.resizeStatus: Unsupported value: "x": supported values: "", "ControllerExpansionFailed", "ControllerExpansionInProgress", "NodeExpansionFailed", "NodeExpansionInProgress", "NodeExpansionPending"',
      'status.allocatedResources: Unsupported value: "cpu": supported values: "storage"',
      "status.allocatedResources[storage]: Invalid value: -1: must be a valid resource quantity",
    ]);
  });
});

test("rows", () => {
  const status = { phase: "Bound", accessModes: ["ReadWriteOnce"], capacity: { storage: "2Gi" } };
  expect(ground.cells(claim({ volumeName: "v", storageClassName: "fast" }, status))).toEqual({
    Name: "a",
    Status: "Bound",
    Volume: "v",
    Capacity: "2Gi",
    "Access Modes": "RWO",
    StorageClass: "fast",
    Age: "60s",
    VolumeMode: "Filesystem",
  });
  expect(ground.cells(claim({}, status, { deletionTimestamp: "2022-01-01T00:00:00Z" }))).toMatchObject({
    Status: "Terminating",
    Volume: "",
    Capacity: "",
    "Access Modes": "",
    StorageClass: "",
  });
});
