import { expect, test } from "vitest";
import type { VolumeProjection } from "../../gen/core-v1.js";
import { overlappingPathWarnings } from "./overlapping-paths.js";

const itemsOf = (paths: readonly string[]) => paths.map((path) => ({ key: "k", path }));

const warningsOf = (...paths: readonly string[]) =>
  overlappingPathWarnings({
    volumes: [{ name: "v", configMap: { name: "m", items: itemsOf(paths) } }],
  }).map((warning) => warning.replace('volume "v" (ConfigMap "m"): overlapping paths: ', ""));

const projectedWarnings = (...sources: VolumeProjection[]) =>
  overlappingPathWarnings({ volumes: [{ name: "v", projected: { sources } }] }).map((warning) =>
    warning.replace('volume "v" (Projected)', "").replace(": overlapping paths: ", ""),
  );

test("a warning names the volume and its source", () => {
  expect(
    overlappingPathWarnings({
      volumes: [
        { name: "s", secret: { secretName: "x", items: itemsOf(["a", "a"]) } },
        { name: "d", downwardAPI: { items: [{ path: "b/c" }, { path: "b" }] } },
        { name: "p", projected: { sources: [{ configMap: { name: "m", items: itemsOf(["a", "a"]) } }] } },
      ],
    }),
  ).toEqual([
    'volume "s" (Secret "x"): overlapping paths: "a" with "a"',
    'volume "d" (DownwardAPI): overlapping paths: "b" with "b/c"',
    'volume "p" (Projected): overlapping paths: "a" (ConfigMap "m") with "a" (ConfigMap "m")',
  ]);
});

test("a path is told with each one before it that it meets", () => {
  expect(warningsOf("a/1", "ab", "a/2", "c", "a", "a/2/x")).toEqual([
    '"a" with "a/1"',
    '"a" with "a/2"',
    '"a/2/x" with "a/2"',
    '"a/2/x" with "a"',
  ]);
});

test("the files of a projected volume are told with their sources", () => {
  expect(
    projectedWarnings(
      { clusterTrustBundle: { signerName: "x.y/z", path: "t/t" } },
      { downwardAPI: { items: [{ path: "t" }] } },
      {},
      { secret: { name: "s", items: itemsOf(["t"]) } },
      { configMap: { name: "all" } },
      { serviceAccountToken: { path: "t" } },
    ),
  ).toEqual([
    " has no sources provided",
    '"t" (DownwardAPI) with "t/t" (ClusterTrustBundle "x.y/z")',
    '"t" (Secret "s") with "t/t" (ClusterTrustBundle "x.y/z")',
    '"t" (Secret "s") with "t" (DownwardAPI)',
    '"t" (ServiceAccountToken) with "t/t" (ClusterTrustBundle "x.y/z")',
    '"t" (ServiceAccountToken) with "t" (DownwardAPI)',
    '"t" (ServiceAccountToken) with "t" (Secret "s")',
  ]);
});

test("the files of a pod certificate count", () => {
  expect(
    projectedWarnings(
      {
        podCertificate: { signerName: "x.y/z", keyType: "ED25519", keyPath: "k", certificateChainPath: "c" },
      },
      { downwardAPI: { items: [{ path: "k" }] } },
    ),
  ).toEqual(['"k" (DownwardAPI) with "k" (PodCertificate key)']);
});

test("slashes at the end of a path do not count", () => {
  expect(warningsOf("a/b", "a//", "c/", "/")).toEqual(['"a" with "a/b"']);
});

test("a path of very many slashes is looked at once", () => {
  const long = `a${"/".repeat(1_000_000)}b`;
  expect(warningsOf(long, long)).toHaveLength(1);
});

test("very many files of one path take no long time", () => {
  expect(warningsOf(...Array<string>(100_000).fill("a")).length).toBeLessThan(10_000);
});

test("very many volumes give no more warnings than one", () => {
  const items = itemsOf(Array<string>(50).fill("a"));
  const volumes = Array.from({ length: 2000 }, (_, index) => ({ name: `v${index}`, configMap: { items } }));
  expect(overlappingPathWarnings({ volumes })).toHaveLength(1000);
});
