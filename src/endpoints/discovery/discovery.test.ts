import { describe, expect, test } from "vitest";
import { isJsonObject, type JsonObject, type JsonValue } from "../../apimachinery/json/json-value.js";
import type { ApiLevel } from "../../apimachinery/levels/api-level.js";
import { metaV1Types } from "../../apimachinery/meta-types/v1.js";
import { decodeEnvelope } from "../../apimachinery/schema/envelope.js";
import { SchemaRegistry } from "../../apimachinery/schema/schema-registry.js";
import { apidiscoveryV2Types } from "../../apis/apidiscovery/v2/types.js";
import { testApiContext } from "../../apis/testing/api-context.js";
import type { ApiCatalog, ServedGroup, ServedResource } from "../catalog/api-catalog.js";
import { fixedCatalog } from "../catalog/testing/fixed-catalog.js";
import { groupDiscoveryEntry } from "./aggregated.js";
import { DiscoveryDocuments } from "./discovery-documents.js";
import { coreVersionsDocument, groupDocument, resourceListDocument } from "./documents.js";
import { builtinCatalog } from "./testing/builtin-catalog.js";

const catalog = builtinCatalog(testApiContext());

function documentsOf(of: ApiCatalog): DiscoveryDocuments {
  return new DiscoveryDocuments({
    catalog: of,
    serverAddress: () => "h:1",
    storageVersionHashes: true,
    level: "1.23",
  });
}

async function classic(path: string): Promise<JsonObject> {
  return JSON.parse((await documentsOf(catalog).at(path)).json) as JsonObject;
}

async function aggregated(root: "api" | "apis", apiVersion: string): Promise<JsonObject> {
  return JSON.parse((await documentsOf(catalog).aggregated(root, apiVersion)).json) as JsonObject;
}

function groupNamed(name: string): ServedGroup {
  const group = catalog.groups().find((candidate) => candidate.group === name);
  if (group === undefined) throw new Error(`no group ${name}`);
  return group;
}

function listOf(group: string, version: string): JsonObject {
  const served = groupNamed(group).versions.find((candidate) => candidate.version === version);
  if (served === undefined) throw new Error(`no version ${version}`);
  return resourceListDocument(group, served, { hashes: true, level: "1.23" });
}

function entry(items: JsonValue | undefined, key: string, name: string): JsonObject {
  const found = Array.isArray(items) ? items.find((i) => isJsonObject(i) && i[key] === name) : undefined;
  if (!isJsonObject(found)) throw new Error(`no ${name}`);
  return found;
}

describe("classic documents", () => {
  test("the core group's versions come with the server's address", () => {
    expect(coreVersionsDocument(catalog, "10.0.0.1:6443")).toEqual({
      kind: "APIVersions",
      versions: ["v1"],
      serverAddressByClientCIDRs: [{ clientCIDR: "0.0.0.0/0", serverAddress: "10.0.0.1:6443" }],
    });
  });

  test("the list of groups has no core group, and each group its preferred version", async () => {
    const list = await classic("/apis");
    expect(list).toMatchObject({ kind: "APIGroupList", apiVersion: "v1" });
    const group = entry(list.groups, "name", "rbac.authorization.k8s.io");
    const version = { groupVersion: "rbac.authorization.k8s.io/v1", version: "v1" };
    expect(group).toEqual({
      name: "rbac.authorization.k8s.io",
      versions: [version],
      preferredVersion: version,
    });
    expect(() => entry(list.groups, "name", "")).toThrow();
  });

  test("one group alone is an object of its own", () => {
    const document = groupDocument(groupNamed("rbac.authorization.k8s.io"));
    expect(Object.keys(document)).toEqual(["kind", "apiVersion", "name", "versions", "preferredVersion"]);
  });

  test("resources are sorted, subresources among them, and only core leaves out its apiVersion", () => {
    const core = listOf("", "v1");
    expect(Object.keys(core)).toEqual(["kind", "groupVersion", "resources"]);
    const names = (core.resources as JsonObject[]).map((resource) => String(resource.name));
    expect(names).toEqual([...names].sort());
    expect(names).toContain("pods/eviction");
    expect(listOf("rbac.authorization.k8s.io", "v1").apiVersion).toBe("v1");
  });

  test("the status of custom resources comes before their scale", () => {
    const served = groupNamed("apps").versions.find(({ version }) => version === "v1");
    const deployments = served?.resources.get("deployments");
    if (served === undefined || deployments === undefined) throw new Error("no deployments");
    const subresources = deployments.definition.subresources.toSorted((a, b) => (a.name < b.name ? 1 : -1));
    const custom = {
      ...deployments,
      definition: { ...deployments.definition, subresources },
      schema: () => ({}),
    };
    const namesOf = (resource: ServedResource): unknown[] => {
      const resources = new Map([["deployments", resource]]);
      const list = resourceListDocument("apps", { ...served, resources }, { hashes: false, level: "1.28" });
      return (list.resources as JsonObject[]).map(({ name }) => name);
    };
    expect(namesOf(deployments)).toEqual(["deployments", "deployments/scale", "deployments/status"]);
    expect(namesOf(custom)).toEqual(["deployments", "deployments/status", "deployments/scale"]);
  });

  test("a resource tells its names, verbs and stored form", () => {
    expect(entry(listOf("", "v1").resources, "name", "pods")).toEqual({
      name: "pods",
      singularName: "",
      namespaced: true,
      kind: "Pod",
      verbs: ["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"],
      shortNames: ["po"],
      categories: ["all"],
      storageVersionHash: "xPOwRZ+Yhw8=",
    });
  });

  test("a hash names the version that Kubernetes stores, where another one is stored here", () => {
    const { resources } = listOf("apiextensions.k8s.io", "v1");
    expect(entry(resources, "name", "customresourcedefinitions").storageVersionHash).toBe("jfWCUB31mvA=");
  });

  test("a subresource of another kind names its group and version where they are not the parent's", () => {
    const { resources } = listOf("", "v1");
    expect(entry(resources, "name", "pods/eviction")).toEqual({
      name: "pods/eviction",
      singularName: "",
      namespaced: true,
      group: "policy",
      version: "v1",
      kind: "Eviction",
      verbs: ["create"],
    });
    expect(entry(resources, "name", "pods/log")).not.toHaveProperty("group");
  });

  test("hashes of stored forms follow their gate", () => {
    const [served] = groupNamed("").versions;
    if (served === undefined) throw new Error("no version");
    const document = resourceListDocument("", served, { hashes: false, level: "1.23" });
    expect(entry(document.resources, "name", "pods")).not.toHaveProperty("storageVersionHash");
  });
});

describe("aggregated discovery", () => {
  const apiVersion = "apidiscovery.k8s.io/v2";

  test("/api has the core group alone, /apis all others in their order", async () => {
    const core = await aggregated("api", apiVersion);
    expect(core).toMatchObject({ kind: "APIGroupDiscoveryList", apiVersion, metadata: {} });
    expect(core.items).toHaveLength(1);
    const others = (await aggregated("apis", apiVersion)).items as JsonObject[];
    const names = others.map((item) => (isJsonObject(item.metadata) ? item.metadata.name : undefined));
    expect(names).toEqual(
      catalog
        .groups()
        .map(({ group }) => group)
        .filter((group) => group !== ""),
    );
  });

  test("a resource has its subresources inside, with the kinds that they answer with", async () => {
    const { items } = await aggregated("api", apiVersion);
    const [group] = items as JsonObject[];
    const version = entry(group?.versions, "version", "v1");
    expect(version.freshness).toBe("Current");
    const pods = entry(version.resources, "resource", "pods");
    expect(Object.keys(pods)).toEqual([
      "resource",
      "responseKind",
      "scope",
      "singularResource",
      "verbs",
      "shortNames",
      "categories",
      "subresources",
    ]);
    expect(pods).toMatchObject({
      responseKind: { group: "", version: "", kind: "Pod" },
      scope: "Namespaced",
      singularResource: "",
    });
    expect(entry(pods.subresources, "subresource", "eviction")).toEqual({
      subresource: "eviction",
      responseKind: { group: "policy", version: "v1", kind: "Eviction" },
      verbs: ["create"],
    });
    expect(entry(pods.subresources, "subresource", "exec").responseKind).toEqual({
      group: "",
      version: "",
      kind: "PodExecOptions",
    });
    expect(entry(version.resources, "resource", "nodes").scope).toBe("Cluster");
  });
});

test.each<[ApiLevel, string]>([
  ["1.26", ""],
  ["1.27", "pod"],
])("at %s, the singular name of pods is %j in both forms", (level, singular) => {
  const group = groupNamed("");
  const [served] = group.versions;
  if (served === undefined) throw new Error("no version");
  const classic = resourceListDocument("", served, { hashes: false, level });
  expect(entry(classic.resources, "name", "pods").singularName).toBe(singular);
  const { versions } = groupDiscoveryEntry(group, level);
  const { resources } = entry(versions, "version", "v1");
  expect(entry(resources, "resource", "pods").singularResource).toBe(singular);
});

describe("answers", () => {
  const types = new SchemaRegistry([metaV1Types, apidiscoveryV2Types], { level: "1.23" });

  const apiVersion = "apidiscovery.k8s.io/v2";

  test("the hash of an aggregated document changes with the catalog, and only then", async () => {
    let served = catalog;
    const documents = documentsOf({
      groups: () => served.groups(),
      group: (name) => served.group(name),
      find: () => undefined,
    });
    const first = await documents.aggregated("apis", apiVersion);
    expect(await documents.aggregated("apis", apiVersion)).toBe(first);
    served = fixedCatalog(served.groups().slice(0, 2));
    expect((await documents.aggregated("apis", apiVersion)).hash).not.toBe(first.hash);
  });

  test("a document of a version is kept as long as the version is the same", async () => {
    const documents = documentsOf(catalog);
    expect(await documents.at("/apis/apps/v1")).toBe(await documents.at("/apis/apps/v1/"));
  });

  test.each(["/apis/apps", "/apis/apps/v1", "/api/v1", "/apis"])("%s is the same indented", async (path) => {
    const { json, prettyJson } = await documentsOf(catalog).at(path);
    expect(JSON.parse(prettyJson)).toEqual(JSON.parse(json));
    expect(prettyJson).toContain("\n  ");
  });

  test.each(["/apis/nope", "/apis/apps/v9", "/apis/apps/v1/more", "/api/v2", "/apis//v1"])(
    "there is nothing at %s",
    async (path) => {
      await expect(documentsOf(catalog).at(path)).rejects.toMatchObject({ code: 404 });
    },
  );

  test("an aggregated document in protobuf says the same as in JSON", async () => {
    const of = "apidiscovery.k8s.io/v2beta1";
    const document = await documentsOf(catalog).aggregated("apis", of);
    const { typeMeta, raw } = decodeEnvelope(document.protobuf);
    expect(typeMeta).toEqual({ kind: "APIGroupDiscoveryList", apiVersion: of });
    const codec = types.codec("apidiscovery/v2.APIGroupDiscoveryList");
    expect(JSON.parse(codec.toJsonWithType(codec.fromProto(raw), typeMeta))).toEqual(
      JSON.parse(document.json),
    );
  });

  test.each([
    ["APIVersions", "/api", ""],
    ["APIGroupList", "/apis", "v1"],
    ["APIGroup", "/apis/rbac.authorization.k8s.io", "v1"],
    ["APIResourceList", "/apis/apps/v1", "v1"],
    ["APIResourceList", "/api/v1", ""],
  ])("%s of %s in protobuf says the same as in JSON", async (kind, path, apiVersion) => {
    const document = await documentsOf(catalog).at(path);
    const { typeMeta, raw } = decodeEnvelope(document.protobuf);
    expect(typeMeta).toEqual({ kind, apiVersion });
    const codec = types.codec(`meta/v1.${kind}`);
    const again = JSON.parse(codec.toJson(codec.fromProto(raw)));
    const { kind: _kind, apiVersion: stated = "", ...said } = JSON.parse(document.json);
    expect([again, stated]).toEqual([said, apiVersion]);
  });
});
