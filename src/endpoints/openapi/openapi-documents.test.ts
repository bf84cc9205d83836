import { Validator } from "@seriousme/openapi-schema-validator";
import { describe, expect, test, vi } from "vitest";
import { parseJson } from "../../apimachinery/json/json-parse.js";
import { isJsonObject, type JsonObject, type JsonValue } from "../../apimachinery/json/json-value.js";
import type { ApiLevel } from "../../apimachinery/levels/api-level.js";
import { testApiContext } from "../../apis/testing/api-context.js";
import { createNaming, type ProfileName } from "../../naming/naming.js";
import type { ApiCatalog, ServedResource } from "../catalog/api-catalog.js";
import type { ExtensionServer } from "../catalog/extension-server.js";
import { fixedCatalog } from "../catalog/testing/fixed-catalog.js";
import { builtinCatalog } from "../discovery/testing/builtin-catalog.js";
import type { OpenApiDocuments, OpenApiParts } from "./openapi-documents.js";
import { versionWords } from "./resource-operations.js";
import { testDocuments } from "./testing/test-documents.js";

const core = "io.k8s.api.core.v1";

function documentsOf(changes: Partial<OpenApiParts> & { profile?: ProfileName } = {}): OpenApiDocuments {
  const { profile = "kubernetes", ...rest } = changes;
  const context = testApiContext({ profile, ...(rest.level !== undefined && { level: rest.level }) });
  return testDocuments(context, {
    catalog: builtinCatalog(context),
    version: "v1.23.17",
    issuerDiscovery: true,
    ...rest,
  });
}

async function v2Of(documents: OpenApiDocuments): Promise<JsonObject> {
  return jsonOf((await documents.v2("json")).bytes);
}

async function v3Of(documents: OpenApiDocuments, section: string): Promise<JsonObject> {
  const document = await documents.v3(section, "json");
  if (document === undefined) throw new Error(`no section ${section}`);
  return jsonOf(document.bytes);
}

function jsonOf(bytes: Uint8Array): JsonObject {
  const value = parseJson(Buffer.from(bytes).toString("utf8"));
  if (!isJsonObject(value)) throw new Error("no object");
  return value;
}

/** The member at the end of a path of names. */
function at(value: JsonValue | undefined, ...names: readonly string[]): JsonValue | undefined {
  let here = value;
  for (const name of names) here = isJsonObject(here) ? here[name] : undefined;
  return here;
}

function operationsIn(document: JsonObject): JsonObject[] {
  const items = Object.values(isJsonObject(document.paths) ? document.paths : {}).filter(isJsonObject);
  return items.flatMap((item) =>
    Object.entries(item)
      .filter(([name]) => name !== "parameters")
      .map(([, operation]) => operation)
      .filter(isJsonObject),
  );
}

/** Every value of a `$ref` that is a reference, not a property of that name. */
function referencesIn(value: JsonValue): string[] {
  if (Array.isArray(value)) return value.flatMap(referencesIn);
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    name === "$ref" && typeof member === "string" ? [member] : referencesIn(member),
  );
}

/** Compiles the rules of each version of OpenAPI once. */
const validator = new Validator();

/** The validator treats every `$ref` as a reference: the property of that name, in JSON schemas, is hidden from it. */
async function validate(document: JsonObject) {
  const text = JSON.stringify(document, (_, value: unknown) => {
    if (!isJsonObject(value) || !isJsonObject(value.$ref)) return value;
    const { $ref, ...rest } = value;
    return { ...rest, ref: $ref };
  });
  return await validator.validate(JSON.parse(text));
}

const documents = documentsOf();
const v2 = await v2Of(documents);
const sectionNames = Object.keys(at(jsonOf((await documents.v3Index()).bytes), "paths") as JsonObject);

describe("Swagger 2.0", () => {
  test("an independent validator accepts it", async () => {
    const result = await validate(v2);
    expect(result.errors).toBeUndefined();
    expect(result.valid).toBe(true);
  });

  test("every reference leads somewhere, and every definition is referred to", () => {
    const names = new Set(referencesIn(v2).map((reference) => reference.replace("#/definitions/", "")));
    expect([...names].sort()).toEqual(Object.keys(v2.definitions as JsonObject));
  });

  test("operation ids are unique", () => {
    const ids = operationsIn(v2).map((operation) => String(operation.operationId));
    expect(ids.length).toBeGreaterThan(500);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  });

  test.each([
    ["/api/v1/namespaces/{namespace}/pods", "get", "listCoreV1NamespacedPod", "list"],
    ["/api/v1/namespaces/{namespace}/pods", "post", "createCoreV1NamespacedPod", "post"],
    [
      "/api/v1/namespaces/{namespace}/pods",
      "delete",
      "deleteCoreV1CollectionNamespacedPod",
      "deletecollection",
    ],
    ["/api/v1/pods", "get", "listCoreV1PodForAllNamespaces", "list"],
    ["/api/v1/namespaces/{name}", "put", "replaceCoreV1Namespace", "put"],
    ["/api/v1/namespaces/{name}/finalize", "put", "replaceCoreV1NamespaceFinalize", "put"],
    ["/api/v1/namespaces/{namespace}/pods/{name}/status", "patch", "patchCoreV1NamespacedPodStatus", "patch"],
    ["/api/v1/namespaces/{namespace}/pods/{name}/log", "get", "readCoreV1NamespacedPodLog", "get"],
    [
      "/api/v1/namespaces/{namespace}/pods/{name}/eviction",
      "post",
      "createCoreV1NamespacedPodEviction",
      "post",
    ],
    [
      "/api/v1/namespaces/{namespace}/pods/{name}/exec",
      "get",
      "connectCoreV1GetNamespacedPodExec",
      "connect",
    ],
    [
      "/api/v1/namespaces/{namespace}/pods/{name}/proxy/{path}",
      "put",
      "connectCoreV1PutNamespacedPodProxyWithPath",
      "connect",
    ],
    ["/api/v1/watch/pods", "get", "watchCoreV1PodListForAllNamespaces", "watchlist"],
    ["/api/v1/watch/namespaces/{namespace}/pods/{name}", "get", "watchCoreV1NamespacedPod", "watch"],
    [
      "/apis/rbac.authorization.k8s.io/v1/clusterroles/{name}",
      "get",
      "readRbacAuthorizationV1ClusterRole",
      "get",
    ],
  ])("%s %s is %s", (path, method, id, action) => {
    const operation = at(v2.paths, path, method);
    expect(operation).toMatchObject({ operationId: id, "x-kubernetes-action": action });
  });

  test("a patch tells its media types, its kind and that it can be tried out", () => {
    const patch = at(v2.paths, "/api/v1/namespaces/{namespace}/pods/{name}", "patch");
    expect(patch).toMatchObject({
      consumes: [
        "application/json-patch+json",
        "application/merge-patch+json",
        "application/strategic-merge-patch+json",
        "application/apply-patch+yaml",
      ],
      "x-kubernetes-group-version-kind": { group: "", kind: "Pod", version: "v1" },
    });
    const parameters = at(patch, "parameters") as JsonObject[];
    expect(parameters.map((parameter) => parameter.name)).toEqual([
      "body",
      "dryRun",
      "fieldManager",
      "fieldValidation",
      "force",
    ]);
  });

  test("writes have fieldValidation only where the gate is on", async () => {
    const document = await v2Of(documentsOf({ fieldValidation: false }));
    const pod = "/api/v1/namespaces/{namespace}/pods/{name}";
    const namesOf = (verb: string) =>
      (at(document.paths, pod, verb, "parameters") as JsonObject[]).map((parameter) => parameter.name);
    expect(namesOf("patch")).toEqual(["body", "dryRun", "fieldManager", "force"]);
    expect(namesOf("put")).toEqual(["body", "dryRun", "fieldManager"]);
  });

  test("deleting answers with the object where the kind says so, with a Status otherwise", () => {
    const answer = (path: string) => at(v2.paths, path, "delete", "responses", "200", "schema", "$ref");
    expect(answer("/api/v1/namespaces/{namespace}/pods/{name}")).toBe(`#/definitions/${core}.Pod`);
    expect(answer("/api/v1/namespaces/{namespace}/configmaps/{name}")).toBe(
      "#/definitions/io.k8s.apimachinery.pkg.apis.meta.v1.Status",
    );
  });

  test("log takes the options of its own kind and answers with text", () => {
    const path = at(v2.paths, "/api/v1/namespaces/{namespace}/pods/{name}/log");
    const parameters = at(path, "parameters") as JsonObject[];
    expect(parameters.find((parameter) => parameter.name === "tailLines")).toMatchObject({ type: "integer" });
    expect(at(path, "get", "responses", "200", "schema")).toEqual({ type: "string" });
  });

  test("a kind names itself, what it needs, and carries kind and apiVersion", () => {
    expect(at(v2.definitions, `${core}.Pod`)).toMatchObject({
      type: "object",
      "x-kubernetes-group-version-kind": [{ group: "", kind: "Pod", version: "v1" }],
      properties: {
        apiVersion: { type: "string" },
        kind: { type: "string" },
        spec: { $ref: `#/definitions/${core}.PodSpec` },
      },
    });
    expect(at(v2.definitions, `${core}.PodSpec`, "required")).toEqual(["containers"]);
    expect(at(v2.definitions, `${core}.PodList`, "required")).toEqual(["items"]);
  });

  test("pointers that an object cannot do without are required", () => {
    expect(at(v2.definitions, "io.k8s.api.apps.v1.DeploymentSpec", "required")).toEqual([
      "selector",
      "template",
    ]);
  });

  test("delete options and watch events belong to every version that Kubernetes of the level has types of", async () => {
    const versionsAt = async (level: ApiLevel, type: string): Promise<string[]> => {
      const { definitions } = await v2Of(documentsOf({ level }));
      const name = `io.k8s.apimachinery.pkg.apis.meta.v1.${type}`;
      const kinds = at(definitions, name, "x-kubernetes-group-version-kind") as JsonObject[];
      expect(new Set(kinds.map(({ kind }) => kind))).toEqual(new Set([type]));
      return kinds.map(({ group, version }) => `${group}/${version}`);
    };
    const oldest = await versionsAt("1.23", "DeleteOptions");
    expect(oldest.slice(0, 3)).toEqual(["/v1", "admission.k8s.io/v1", "admission.k8s.io/v1beta1"]);
    expect(oldest).toContain("flowcontrol.apiserver.k8s.io/v1alpha1");
    expect(await versionsAt("1.28", "WatchEvent")).toHaveLength(58);
    expect(await versionsAt("1.36", "WatchEvent")).not.toContain("autoscaling/v2beta2");
  });

  test("lists tell how they merge", () => {
    expect(at(v2.definitions, `${core}.PodSpec`, "properties", "containers")).toMatchObject({
      items: { $ref: `#/definitions/${core}.Container` },
      type: "array",
      "x-kubernetes-patch-merge-key": "name",
      "x-kubernetes-patch-strategy": "merge",
    });
    expect(at(v2.definitions, `${core}.PodSpec`, "properties", "volumes")).toMatchObject({
      "x-kubernetes-patch-strategy": "merge,retainKeys",
    });
    expect(at(v2.definitions, `${core}.Container`, "properties", "ports")).toMatchObject({
      "x-kubernetes-list-map-keys": ["containerPort", "protocol"],
      "x-kubernetes-list-type": "map",
    });
    expect(at(v2.definitions, `${core}.Container`, "properties", "args")).not.toHaveProperty(
      "x-kubernetes-list-type",
    );
    expect(
      at(v2.definitions, "io.k8s.apimachinery.pkg.apis.meta.v1.LabelSelector", "x-kubernetes-map-type"),
    ).toBe("atomic");
  });

  test("scalars and special types have their formats", () => {
    const property = (type: string, name: string) =>
      at(v2.definitions, `${core}.${type}`, "properties", name);
    expect(property("ContainerPort", "containerPort")).toMatchObject({ format: "int32", type: "integer" });
    expect(property("PodSpec", "activeDeadlineSeconds")).toMatchObject({ format: "int64", type: "integer" });
    expect(property("Secret", "data")).toMatchObject({
      additionalProperties: { format: "byte", type: "string" },
      type: "object",
    });
    expect(at(v2.definitions, "io.k8s.apimachinery.pkg.util.intstr.IntOrString")).toMatchObject({
      format: "int-or-string",
      type: "string",
    });
    expect(at(v2.definitions, "io.k8s.apimachinery.pkg.apis.meta.v1.Time")).toMatchObject({
      format: "date-time",
      type: "string",
    });
    expect(at(v2.definitions, "io.k8s.apimachinery.pkg.api.resource.Quantity", "type")).toBe("string");
  });

  test("types that only 3.0 can tell are left open, not guessed", () => {
    const name = "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaPropsOrBool";
    expect(at(v2.definitions, name)).toEqual({ description: expect.any(String) });
  });

  test("defaults and closed lists are not in it", () => {
    const protocol = at(v2.definitions, `${core}.ContainerPort`, "properties", "protocol");
    expect(protocol).not.toHaveProperty("default");
    expect(protocol).not.toHaveProperty("enum");
  });

  test("closed lists follow their gate, and are sorted as in Kubernetes", async () => {
    const withEnums = await v2Of(documentsOf({ enums: true }));
    expect(at(withEnums.definitions, `${core}.ContainerPort`, "properties", "protocol")).toMatchObject({
      enum: ["SCTP", "TCP", "UDP"],
    });
  });

  test("paths have their own parameters before 1.28, and then share all that are not about them", async () => {
    const pod = "/api/v1/namespaces/{namespace}/pods/{name}";
    const namesAt = async (level: ApiLevel): Promise<readonly (readonly unknown[])[]> => {
      const document = await v2Of(documentsOf({ level }));
      const item = at(document.paths, pod);
      return [item, at(item, "delete"), at(item, "patch")].map((has) =>
        (at(has, "parameters") as JsonObject[]).map(({ name, $ref }) => name ?? $ref),
      );
    };
    expect(await namesAt("1.27")).toEqual([
      ["name", "namespace", "pretty"],
      ["body", "dryRun", "gracePeriodSeconds", "orphanDependents", "propagationPolicy"],
      ["body", "dryRun", "fieldManager", "fieldValidation", "force"],
    ]);
    const shared = (name: string) => expect.stringMatching(`^#/parameters/${name}-[\\w-]{8}$`);
    expect(await namesAt("1.28")).toEqual([
      ["name", shared("namespace"), shared("pretty")],
      [
        shared("body"),
        "dryRun",
        ...["gracePeriodSeconds", "orphanDependents", "propagationPolicy"].map(shared),
      ],
      [shared("body"), "dryRun", shared("fieldManager"), "fieldValidation", shared("force")],
    ]);
  });

  test("a document has each shared parameter once, also those of custom resources", async () => {
    const level = "1.35";
    const catalog = withCustomMaps({ schema: given({ type: "object" }) });
    const documents = documentsOf({ level, catalog });
    const document = await v2Of(documents);
    expect((await validate(document)).valid).toBe(true);
    const referred = new Set(referencesIn(document).filter((each) => each.startsWith("#/parameters/")));
    const named = Object.keys(document.parameters as JsonObject).map((name) => `#/parameters/${name}`);
    expect([...referred].sort()).toEqual(named);
    expect(Object.keys(document)).toEqual([
      "swagger",
      "info",
      "paths",
      "definitions",
      "parameters",
      "securityDefinitions",
      "security",
    ]);
    const protobuf = Buffer.from((await documents.v2("protobuf")).bytes).toString("latin1");
    const [first = ""] = named;
    // Its name stands where it is defined, and in references.
    expect(protobuf.split(first.replace("#/parameters/", "")).length).toBe(protobuf.split(first).length + 1);
  });

  test("the other profile has its own names throughout", async () => {
    const text = JSON.stringify(await v2Of(documentsOf({ profile: "orch" })));
    expect(text).toContain("io.orch.api.core.v1.Pod");
    expect(text).toContain("x-orch-action");
    expect(text).not.toMatch(/k8s|kube(?!ctl|config)/i);
  });
});

describe("documents of a level", () => {
  const parametersOf = (document: JsonObject, path: string, method: string): readonly string[] => {
    const item = at(document.paths, path);
    const given = [at(item, "parameters"), at(item, method, "parameters")].flat();
    return given.filter(isJsonObject).map(({ name }) => String(name));
  };

  test.each([
    ["1.31", false, false],
    ["1.32", true, false],
    ["1.36", true, true],
  ] as const)("at %s: unsafe deletes %s, shards %s", async (level, unsafe, shards) => {
    const document = await v3Of(documentsOf({ level }), "api/v1");
    const pods = "/api/v1/namespaces/{namespace}/pods";
    for (const [path, method, name, isThere] of [
      [`${pods}/{name}`, "delete", "ignoreStoreReadErrorWithClusterBreakingPotential", unsafe],
      [pods, "delete", "ignoreStoreReadErrorWithClusterBreakingPotential", unsafe],
      [pods, "delete", "shardSelector", shards],
      [pods, "get", "shardSelector", shards],
      [`${pods}/{name}`, "delete", "shardSelector", false],
    ] as const) {
      expect(parametersOf(document, path, method).includes(name), `${method} ${path} ${name}`).toBe(isThere);
    }
  });

  test("version 3 has defaults of texts that are always there", async () => {
    const info = await v3Of(documentsOf({ level: "1.36" }), "version");
    const field = (name: string) =>
      at(
        info,
        "components",
        "schemas",
        "io.k8s.apimachinery.pkg.version.Info",
        "properties",
        name,
        "default",
      );
    expect([field("gitVersion"), field("emulationMajor")]).toEqual(["", undefined]);
    const reviews = await v3Of(documentsOf({ level: "1.36" }), "apis/authentication.k8s.io/v1");
    const user = at(reviews, "components", "schemas", "io.k8s.api.authentication.v1.UserInfo");
    expect(at(user, "properties", "extra", "additionalProperties", "items")).toEqual({
      type: "string",
      default: "",
    });
  });

  test("the scope of a rule is a closed list since 1.35, the reason of a rule in CEL since 1.28", async () => {
    const enumOf = async (level: ApiLevel, ...names: readonly string[]) =>
      at((await v2Of(documentsOf({ level, enums: true }))).definitions, ...names, "enum");
    const scope = ["io.k8s.api.admissionregistration.v1.RuleWithOperations", "properties", "scope"] as const;
    expect(await enumOf("1.34", ...scope)).toBeUndefined();
    expect(await enumOf("1.35", ...scope)).toEqual(["*", "Cluster", "Namespaced"]);
    expect(
      await enumOf(
        "1.28",
        "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.ValidationRule",
        "properties",
        "reason",
      ),
    ).toContain("FieldValueForbidden");
  });

  test("the values of reinvocation policies are not told at 1.34", async () => {
    const valuesAt = async (level: ApiLevel, type: string) => {
      const { definitions } = await v2Of(documentsOf({ level, enums: true }));
      return at(
        definitions,
        `io.k8s.api.admissionregistration.${type}`,
        "properties",
        "reinvocationPolicy",
        "enum",
      );
    };
    const values = ["IfNeeded", "Never"];
    for (const [level, expected] of [
      ["1.33", values],
      ["1.34", undefined],
      ["1.35", values],
    ] as const) {
      expect(await valuesAt(level, "v1.MutatingWebhook")).toEqual(expected);
      expect(await valuesAt(level, "v1alpha1.MutatingAdmissionPolicySpec")).toEqual(expected);
    }
  });

  test("the closed lists of pointers are told since 1.27, those of items since 1.30", async () => {
    const spec = ["io.k8s.api.core.v1.ServiceSpec", "properties"] as const;
    const enumsAt = async (level: ApiLevel) => {
      const { definitions } = await v2Of(documentsOf({ level, enums: true }));
      return [
        at(definitions, ...spec, "type", "enum"),
        at(definitions, ...spec, "ipFamilyPolicy", "enum"),
        at(definitions, ...spec, "ipFamilies", "items", "enum"),
      ];
    };
    const types = ["ClusterIP", "ExternalName", "LoadBalancer", "NodePort"];
    expect(await enumsAt("1.26")).toEqual([types, undefined, undefined]);
    const policies = ["PreferDualStack", "RequireDualStack", "SingleStack"];
    expect(await enumsAt("1.27")).toEqual([types, policies, undefined]);
    expect(await enumsAt("1.29")).toEqual([types, policies, undefined]);
    expect(await enumsAt("1.30")).toEqual([types, policies, ["", "IPv4", "IPv6"]]);
  });

  test("a field that is merged although its type is not says so since 1.25", async () => {
    const claimRef = async (level: ApiLevel) =>
      at(
        (await v2Of(documentsOf({ level }))).definitions,
        `${core}.PersistentVolumeSpec`,
        "properties",
        "claimRef",
        "x-kubernetes-map-type",
      );
    expect(await claimRef("1.24")).toBeUndefined();
    expect(await claimRef("1.25")).toBe("granular");
  });
});

describe("OpenAPI 3", () => {
  test("the index leads to each part by the hash of its content", async () => {
    const index = jsonOf((await documents.v3Index()).bytes);
    const document = await documents.v3("api/v1", "json");
    expect(at(index, "paths", "api/v1", "serverRelativeURL")).toBe(
      `/openapi/v3/api/v1?hash=${document?.hash}`,
    );
    expect(sectionNames).toEqual(expect.arrayContaining(["api", "apis", "apis/apps/v1", "version"]));
    expect(await documents.v3("apis/nobody/v1", "json")).toBeUndefined();
  });

  test.each(sectionNames)(
    "an independent validator accepts %s, whose references all lead somewhere",
    async (name) => {
      const document = await v3Of(documents, name);
      const known = Object.keys(at(document, "components", "schemas") ?? {});
      const named = referencesIn(document).map((reference) => reference.replace("#/components/schemas/", ""));
      expect([...new Set(named)].sort()).toEqual(known);
      const result = await validate(document);
      expect(result.errors).toBeUndefined();
    },
  );

  test("the parts together have the operations of the whole", async () => {
    const parts = await Promise.all(sectionNames.map((name) => v3Of(documents, name)));
    const ids = (document: JsonObject) =>
      operationsIn(document).map(({ operationId }) => String(operationId));
    expect(parts.flatMap(ids).sort()).toEqual(ids(v2).sort());
  });

  test("what stands beside a reference is wrapped, and defaults are told", async () => {
    const { components } = await v3Of(documents, "api/v1");
    const property = (type: string, name: string) =>
      at(components, "schemas", `${core}.${type}`, "properties", name);
    expect(property("Pod", "spec")).toMatchObject({
      allOf: [{ $ref: `#/components/schemas/${core}.PodSpec` }],
      default: {},
    });
    expect(property("ContainerPort", "protocol")).toMatchObject({ default: "TCP", type: "string" });
    expect(property("ContainerPort", "containerPort")).toMatchObject({ default: 0 });
    expect(property("ContainerPort", "hostPort")).not.toHaveProperty("default");
    expect(at(components, "schemas", "io.k8s.apimachinery.pkg.util.intstr.IntOrString", "oneOf")).toEqual([
      { type: "integer" },
      { type: "string" },
    ]);
  });

  test("bodies and answers are told for every media type", async () => {
    const { paths } = await v3Of(documents, "api/v1");
    const list = at(paths, "/api/v1/namespaces/{namespace}/pods", "get", "responses", "200", "content");
    expect(Object.keys(list as JsonObject)).toEqual([
      "application/json",
      "application/yaml",
      "application/vnd.kubernetes.protobuf",
      "application/json;stream=watch",
      "application/vnd.kubernetes.protobuf;stream=watch",
    ]);
    const create = at(paths, "/api/v1/namespaces/{namespace}/pods", "post", "requestBody");
    const content = { schema: { $ref: `#/components/schemas/${core}.Pod` } };
    expect(create).toEqual({
      content: {
        "application/json": content,
        "application/yaml": content,
        "application/vnd.kubernetes.protobuf": content,
      },
    });
  });

  test.each<[ApiLevel, JsonValue | undefined]>([
    ["1.28", undefined],
    ["1.29", true],
  ])("at %s, whether a body is needed is %s", async (level, required) => {
    const { paths } = await v3Of(documentsOf({ level }), "api/v1");
    for (const [path, verb] of [
      ["/api/v1/namespaces", "post"],
      ["/api/v1/namespaces/{name}", "put"],
      ["/api/v1/namespaces/{name}", "patch"],
    ] as const) {
      expect(at(paths, path, verb, "requestBody", "required")).toBe(required);
    }
    expect(at(paths, "/api/v1/namespaces/{name}", "delete", "requestBody")).not.toHaveProperty("required");
  });
});

test("the keys of the issuer of tokens are told of where they are served", async () => {
  const path = ["/openid/v1/jwks/", "get", "operationId"];
  expect(at(v2.paths, ...path)).toBe("getServiceAccountIssuerOpenIDKeyset");
  const without = documentsOf({ issuerDiscovery: false });
  expect(at((await v2Of(without)).paths, ...path)).toBeUndefined();
});

/** The built-in kinds, with the given config maps. */
function withCustomMaps(
  given: Partial<Pick<ServedResource, "schema" | "fingerprint" | "definition">>,
): ApiCatalog {
  const groups = builtinCatalog(testApiContext()).groups();
  return fixedCatalog(
    groups.map(({ group, versions }) => ({
      group,
      versions: versions.map(({ version, resources }) => ({
        version,
        resources: new Map(
          [...resources].map(([name, served]) => [
            name,
            name === "configmaps" ? { ...served, ...given } : served,
          ]),
        ),
      })),
    })),
  );
}

/** One custom resource in a group of its own. */
function customCatalog(given: Pick<ServedResource, "schema" | "fingerprint">): ApiCatalog {
  const core = withCustomMaps(given).group("")?.versions[0]?.resources.get("configmaps");
  if (core === undefined) throw new Error("no config maps");
  const resources = new Map([["configmaps", core]]);
  return fixedCatalog([{ group: "", versions: [{ version: "v1", resources }] }]);
}

function given(schema: JsonObject): () => JsonObject {
  return () => schema;
}

describe("the index of OpenAPI 3", () => {
  const hashes = async (given: Pick<ServedResource, "schema" | "fingerprint">, build = "0.1.0") => {
    const made = documentsOf({ catalog: customCatalog(given), build });
    return [jsonOf((await made.v3Index()).bytes), await made.v3Hash("api/v1")] as const;
  };

  test("reads no schema of resources that say when they change", async () => {
    const schema = () => {
      throw new Error("the schema was read");
    };
    const [index, hash] = await hashes({ schema, fingerprint: () => "1" });
    expect(at(index, "paths", "api/v1", "serverRelativeURL")).toBe(`/openapi/v3/api/v1?hash=${hash}`);
    expect(await hashes({ schema, fingerprint: () => "1" })).toEqual([index, hash]);
    expect((await hashes({ schema, fingerprint: () => "2" }))[1]).not.toBe(hash);
    expect((await hashes({ schema, fingerprint: () => "1" }, "0.2.0"))[1]).not.toBe(hash);
  });

  test("compares the documents of others", async () => {
    const [, hash] = await hashes({ schema: given({ type: "object" }) });
    expect((await hashes({ schema: given({ type: "object" }) }))[1]).toBe(hash);
    expect((await hashes({ schema: given({ type: "object", title: "other" }) }))[1]).not.toBe(hash);
  });
});

describe("the documents", () => {
  test("are made once for a catalog, and anew when it changes", async () => {
    const all = builtinCatalog(testApiContext());
    let groups = all.groups();
    const catalog: ApiCatalog = { groups: () => groups, group: () => undefined, find: () => undefined };
    const changing = documentsOf({ catalog });
    const first = await changing.v2("json");
    expect(await changing.v2("json")).toBe(first);
    groups = groups.slice(0, 3);
    expect((await changing.v2("json")).hash).not.toBe(first.hash);
  });

  test("are the same bytes whenever they are made", async () => {
    expect((await documentsOf().v2("json")).hash).toBe((await documents.v2("json")).hash);
  });

  test("of custom resources say the same whether the descriptions of all types are loaded or not", async () => {
    const deployments = builtinCatalog(testApiContext()).find("apps", "v1", "deployments");
    if (deployments === undefined) throw new Error("no deployments");
    // They have a scale, which is in another group.
    const custom: ServedResource = { ...deployments, schema: given({ type: "object" }) };
    const resources = new Map([["deployments", custom]]);
    const catalog = fixedCatalog([{ group: "apps", versions: [{ version: "v1", resources }] }]);
    const after = documentsOf({ catalog });
    await after.v2("json");
    const bytes = async (from: OpenApiDocuments) => (await from.v3("apis/apps/v1", "json"))?.bytes.toString();
    const few = await bytes(documentsOf({ catalog }));
    expect(few).toBe(await bytes(after));
    expect(few).toContain("autoscaling.v1.Scale");
  });

  test("a custom resource brings its schema, opened for Swagger where that cannot say as much", async () => {
    const schema: JsonObject = {
      type: "object",
      properties: {
        spec: {
          type: "object",
          properties: {
            size: { type: "integer", minimum: 1, default: 3 },
            port: { "x-kubernetes-int-or-string": true, anyOf: [{ type: "integer" }, { type: "string" }] },
            extra: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
            note: { type: "string", nullable: true },
          },
        },
      },
    };
    const custom = documentsOf({ catalog: withCustomMaps({ schema: given(schema) }) });
    const swagger = await v2Of(custom);
    // A core resource stands in for a custom one here, so the group is core.
    const definition = Object.entries(swagger.definitions as JsonObject).find(([name]) =>
      name.endsWith("v1.ConfigMap"),
    );
    expect(at(definition?.[1], "properties", "spec", "properties")).toEqual({
      size: { type: "integer", minimum: 1 },
      port: { "x-kubernetes-int-or-string": true },
      extra: { "x-kubernetes-preserve-unknown-fields": true },
      note: {},
    });
    expect(at(definition?.[1], "properties", "metadata", "$ref")).toMatch(/ObjectMeta$/);
    const create = at(swagger.paths, "/api/v1/namespaces/{namespace}/configmaps", "post");
    expect(at(create, "produces")).toEqual(["application/json", "application/yaml"]);

    const { components, info } = await v3Of(custom, "api/v1");
    expect(info).toEqual({ title: "Kubernetes CRD Swagger", version: "v0.1.0" });
    const whole = Object.entries(at(components, "schemas") as JsonObject).find(([name]) =>
      name.endsWith("v1.ConfigMap"),
    );
    expect(at(whole?.[1], "properties", "spec", "properties", "size")).toEqual({
      type: "integer",
      minimum: 1,
      default: 3,
    });
  });
});

test("the discovery of custom resources is not described, nor how their clients authenticate", async () => {
  const documents = documentsOf({ catalog: customCatalog({ schema: given({ type: "object" }) }) });
  expect(at(jsonOf((await documents.v3Index()).bytes), "paths", "api")).toBeUndefined();
  const { components, paths } = await v3Of(documents, "api/v1");
  expect(Object.keys(components ?? {})).toEqual(["schemas"]);
  expect(Object.keys(paths ?? {})).not.toContain("/api/v1/");
  expect(Object.keys((await v2Of(documents)).paths ?? {})).not.toContain("/api/v1/");
});

test("operations on custom resources are described as in Kubernetes", async () => {
  const { paths } = await v2Of(
    documentsOf({ catalog: withCustomMaps({ schema: given({ type: "object" }) }) }),
  );
  const collection = "/api/v1/namespaces/{namespace}/configmaps";
  const one = `${collection}/{name}`;
  const mediaTypes = ["application/json", "application/yaml"];
  const operations = { [collection]: ["get", "post", "delete"], [one]: ["get", "put", "delete"] };
  for (const [path, methods] of Object.entries(operations)) {
    for (const method of methods)
      expect(at(paths, path, method)).toMatchObject({ consumes: mediaTypes, produces: mediaTypes });
  }
  expect(at(paths, collection, "delete", "parameters")).toEqual(at(paths, collection, "get", "parameters"));
  expect(at(paths, one, "get", "parameters")).toMatchObject([{ name: "resourceVersion" }]);
  expect(Object.keys(at(paths, one, "patch", "responses") ?? {})).toEqual(["200", "401"]);
});

test("the scale of a custom resource is described as of its own kind", async () => {
  const groups = builtinCatalog(testApiContext());
  const maps = groups.find("", "v1", "configmaps");
  const controllers = groups.find("", "v1", "replicationcontrollers");
  if (maps === undefined || controllers === undefined) throw new Error("no such resources");
  const subresources = controllers.definition.subresources.filter(({ name }) => name === "scale");
  const definition = { ...maps.definition, subresources };
  const catalog = withCustomMaps({ schema: given({ type: "object" }), definition });
  const { paths } = await v2Of(documentsOf({ catalog }));
  const path = "/api/v1/namespaces/{namespace}/configmaps/{name}/scale";
  for (const method of ["get", "put", "patch"]) {
    expect(at(paths, path, method)).toMatchObject({
      "x-kubernetes-group-version-kind": { group: "", version: "v1", kind: "ConfigMap" },
      responses: { 200: { schema: { $ref: "#/definitions/io.k8s.api.autoscaling.v1.Scale" } } },
    });
  }
});

test("operation ids and tags leave out the domain, in groups of others too", () => {
  const naming = createNaming("kubernetes");
  expect(versionWords(naming, "gateway.networking.k8s.io", "v1")).toEqual({
    tag: "gatewayNetworking_v1",
    title: "GatewayNetworkingV1",
  });
  expect(versionWords(naming, "cluster.x-k8s.io", "v1beta1").tag).toBe("clusterXK8sIo_v1beta1");
});

test("a custom resource has lists of the kind that its definition names, and no path for the older form of a watch", async () => {
  const maps = builtinCatalog(testApiContext()).find("", "v1", "configmaps");
  if (maps === undefined) throw new Error("no config maps");
  const definition = { ...maps.definition, listKind: "Atlas" };
  const catalog = withCustomMaps({ schema: given({ type: "object" }), definition });
  const { components, paths } = await v3Of(documentsOf({ catalog }), "api/v1");
  const lists = Object.entries(at(components, "schemas") as JsonObject).filter(([name]) =>
    /\.v1\.(Atlas|ConfigMapList)$/.test(name),
  );
  expect(lists.map(([, list]) => at(list, "x-kubernetes-group-version-kind"))).toEqual([
    [{ group: "", kind: "Atlas", version: "v1" }],
  ]);
  const ofMaps = Object.keys(paths as JsonObject).filter((path) => path.includes("configmaps"));
  expect(ofMaps).toEqual([
    "/api/v1/configmaps",
    "/api/v1/namespaces/{namespace}/configmaps",
    "/api/v1/namespaces/{namespace}/configmaps/{name}",
  ]);
});

test("a custom resource without properties has the fields of every object", async () => {
  const { components } = await v3Of(
    documentsOf({ catalog: withCustomMaps({ schema: given({ type: "object" }) }) }),
    "api/v1",
  );
  const definition = Object.entries(at(components, "schemas") as JsonObject).find(([name]) =>
    name.endsWith("v1.ConfigMap"),
  );
  expect(Object.keys(at(definition?.[1], "properties") as JsonObject)).toEqual([
    "apiVersion",
    "kind",
    "metadata",
  ]);
});

describe("extension servers", () => {
  const extensions = (servers: Readonly<Record<string, Partial<ExtensionServer>>>): OpenApiDocuments => {
    const groups = Object.entries(servers).map(([group, server]) => {
      const nothing = { target: () => undefined, resources: [], swagger: undefined, openApi3: undefined };
      return {
        group,
        versions: [{ version: "v1", resources: new Map(), extension: { ...nothing, ...server } }],
      };
    });
    return documentsOf({ catalog: fixedCatalog([...builtinCatalog(testApiContext()).groups(), ...groups]) });
  };
  const swaggerOf = (group: string, definitions: JsonObject): JsonObject => ({
    swagger: "2.0",
    paths: {
      [`/apis/${group}/v1/flunders`]: {
        get: { responses: { 200: { description: "OK", schema: { $ref: "#/definitions/Flunder" } } } },
      },
    },
    definitions,
  });
  const flunder = { properties: { spec: { $ref: "#/definitions/Spec" } } };
  const spec = (field: string) => ({ type: "object", properties: { [field]: { type: "string" } } });
  const schemaOf = (document: JsonObject, group: string) =>
    at(document.paths, `/apis/${group}/v1/flunders`, "get", "responses", "200", "schema", "$ref");

  test("that define one name differently have both in Swagger", async () => {
    const both = extensions({
      "a.example.com": { swagger: swaggerOf("a.example.com", { Flunder: flunder, Spec: spec("a") }) },
      "b.example.com": { swagger: swaggerOf("b.example.com", { Flunder: flunder, Spec: spec("b") }) },
      "c.example.com": { swagger: swaggerOf("c.example.com", { Flunder: flunder, Spec: spec("a") }) },
    });
    const document = await v2Of(both);
    expect(schemaOf(document, "a.example.com")).toBe("#/definitions/Flunder");
    const named = String(schemaOf(document, "b.example.com")).replace("#/definitions/", "");
    const { $ref } = at(document.definitions, named, "properties", "spec") as JsonObject;
    expect(at(document.definitions, String($ref).replace("#/definitions/", ""))).toEqual(spec("b"));
    expect(at(document.definitions, "Spec")).toEqual(spec("a"));
    expect(schemaOf(document, "c.example.com")).toBe("#/definitions/Flunder");
    const protobuf = Buffer.from((await both.v2("protobuf")).bytes).toString("latin1");
    expect(protobuf).toContain("Spec_v2");
  });

  test("without OpenAPI 3 are described by their Swagger document, as this server would", async () => {
    const ours = documentsOf({ level: "1.29" });
    const v3 = await v3Of(ours, "apis/apps/v1");
    const own = await v2Of(ours);
    const paths = Object.fromEntries(
      Object.entries(own.paths as JsonObject).map(([path, item]) => [
        path.replace("/apps/", "/a.example.com/"),
        item,
      ]),
    );
    const theirs = extensions({ "a.example.com": { swagger: { ...own, paths } } });
    expect(at(jsonOf((await theirs.v3Index()).bytes), "paths")).toHaveProperty(["apis/a.example.com/v1"]);
    const converted = await v3Of(theirs, "apis/a.example.com/v1");
    expect((await validate(converted)).errors).toBeUndefined();
    expect(Object.keys(at(converted, "components", "schemas") as JsonObject).sort()).toEqual(
      Object.keys(at(v3, "components", "schemas") as JsonObject).sort(),
    );
    const created = "namespaces/{namespace}/deployments";
    expect(at(converted, "paths", `/apis/a.example.com/v1/${created}`)).toEqual(
      at(v3, "paths", `/apis/apps/v1/${created}`),
    );
    expect((await theirs.v3("apis/a.example.com/v1", "protobuf"))?.bytes.length).toBeGreaterThan(1000);
  });

  test("with OpenAPI 3 are described by that", async () => {
    const openApi3 = Buffer.from('{"openapi":"3.0.0",  "x-their":"own"}');
    const swagger = swaggerOf("a.example.com", {});
    const documents = extensions({ "a.example.com": { swagger, openApi3 }, "b.example.com": {} });
    expect((await documents.v3("apis/a.example.com/v1", "json"))?.bytes).toEqual(openApi3);
    expect(await documents.v3("apis/b.example.com/v1", "json")).toBeUndefined();
  });
});

test("documents are kept while somebody asks, and made again, the same, after minutes without use", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  try {
    const documents = documentsOf();
    const first = await documents.v3("apis/batch/v1", "json");
    for (let round = 0; round < 10; round++) {
      vi.advanceTimersByTime(30_000);
      expect(await documents.v3("apis/batch/v1", "json")).toBe(first);
    }
    vi.advanceTimersByTime(5 * 60_000);
    expect(vi.getTimerCount()).toBe(0);
    const second = await documents.v3("apis/batch/v1", "json");
    expect(second).not.toBe(first);
    expect(second?.hash).toBe(first?.hash);
    vi.advanceTimersByTime(5 * 60_000);
  } finally {
    vi.useRealTimers();
  }
});

test.each<[ApiLevel, boolean]>([
  ["1.23", true],
  ["1.24", false],
  ["1.26", false],
  ["1.27", true],
])("at %s the aggregator's own group is described in version 3: %s", async (level, isDescribed) => {
  const documents = documentsOf({ level });
  const index = jsonOf((await documents.v3Index()).bytes);
  const own = ["apis/apiregistration.k8s.io", "apis/apiregistration.k8s.io/v1"];
  const described = Object.keys(isJsonObject(index.paths) ? index.paths : {});
  expect(described).toContain("apis/apps");
  expect(described.filter((name) => own.includes(name))).toEqual(isDescribed ? own : []);
  for (const name of own) {
    expect((await documents.v3(name, "json")) !== undefined).toBe(isDescribed);
    expect((await documents.v3Hash(name)) !== undefined).toBe(isDescribed);
  }
  expect(Object.keys((await v2Of(documents)).paths ?? {})).toContain("/apis/apiregistration.k8s.io/");
});

test("a document of version 3 requires no credentials itself, and has no empty list of schemas", async () => {
  const documents = documentsOf();
  expect(await v3Of(documents, "apis/apps")).not.toHaveProperty("security");
  const { components } = await v3Of(documents, "openid/v1/jwks");
  expect(Object.keys(components ?? {})).toEqual(["securitySchemes"]);
});
