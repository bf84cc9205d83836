import { expect, test } from "vitest";
import type { AdmissionAttributes } from "../../admission/chain/admission-attributes.js";
import type { ApiLevel } from "../../apimachinery/levels/api-level.js";
import { YamlConverter } from "../../apimachinery/yaml/yaml-converter.js";
import { deployments } from "../../apis/apps/deployment/resource.js";
import { convertToHub } from "../../apis/definition/resource-definition.js";
import type { Deployment } from "../../apis/gen/apps-v1.js";
import type { Scale } from "../../apis/gen/autoscaling-v1.js";
import type { DeleteOptions } from "../../apis/gen/meta-v1.js";
import { testApiContext, testWriteContext } from "../../apis/testing/api-context.js";
import { createResourceCodec } from "../../registry/generic/resource-codec.js";
import { ResourceRegistry } from "../../registry/generic/resource-registry.js";
import { createVersionedView } from "../../registry/generic/versioned-view.js";
import type { ApiRequest } from "../../request/api-request.js";
import { serverWriter, type Writer } from "../../request/write-scope.js";
import { createObjectStore } from "../../storage/store/object-store.js";
import { MemoryStore } from "../../storage/testing/memory-store.js";
import { BodyParser } from "../bodies/parse-body.js";
import { createKindView } from "../resource/kind-view.js";
import type { ResourceEndpoint } from "../resource/resource-endpoint.js";
import { scaleKind, updateScale } from "./scale.js";

const context = testApiContext();
const scaleCodec = context.schemas.codec<Scale>("autoscaling/v1.Scale");
const { signal } = new AbortController();

/** An endpoint of deployments with one deployment of two replicas; its admission is `mutate`, whose calls are recorded. */
async function groundWith(mutate: (attributes: AdmissionAttributes) => void, level: ApiLevel = "1.23") {
  const definition = { ...deployments(testApiContext({ level })), level };
  const [version] = definition.versions;
  const scale = definition.subresources.find(({ kind }) => kind === "scale");
  if (version === undefined || scale?.kind !== "scale") throw new Error("deployments have a scale");
  const view = createVersionedView(definition, version);
  const codec = createResourceCodec(definition, "protobuf");
  const registry = new ResourceRegistry<Deployment>({
    definition,
    store: createObjectStore<Deployment>({ kv: new MemoryStore(), prefix: "/deployments/", codec }),
    codec,
    random: { uid: () => "uid", nameSuffix: () => "abcde" },
  });
  const labels = { app: "a" };
  const json = {
    metadata: { name: "web", namespace: "ns" },
    spec: {
      replicas: 2,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: "a", image: "a" }] } },
    },
  };
  const writes = { ...testWriteContext(), signal, warn() {} };
  await registry.create(writes, convertToHub(version, view.fromJson(json)));

  const asked: unknown[] = [];
  const note = (
    step: string,
    { operation, kind, subresource, object, oldObject }: AdmissionAttributes,
  ): void => {
    asked.push([step, operation, kind.kind, subresource, specOf(object), specOf(oldObject)]);
  };
  const endpoint: ResourceEndpoint<Deployment> = {
    registry,
    view,
    admission: {
      async mutate(attributes) {
        mutate(attributes);
        note("mutate", attributes);
      },
      validate: async (attributes) => note("validate", attributes),
    },
    settings: {
      level: context.level,
      metaGroup: "meta",
      fieldTracking: {
        async track() {},
        async apply() {
          throw new Error("not applied");
        },
      },
      scaleCodec,
      scaleView: createKindView(scaleKind, scaleCodec),
      customScaleView: createKindView(scaleKind, scaleCodec),
      bodyParser: new BodyParser({ yaml: new YamlConverter(), protobufMediaType: "" }),
      deleteOptionsCodec: context.schemas.codec<DeleteOptions>("meta/v1.DeleteOptions"),
      minRequestTimeoutSeconds: 1,
      random: () => 0,
      allowBookmarks: true,
      deleteCollectionWorkers: 1,
      listChunking: true,
      remainingItemCount: true,
      serverSideFieldValidation: false,
      ignoresFieldValidation: false,
      isKnownType: () => true,
      initialEvents: "unknown",
      shards: undefined,
      unsafeDeletion: undefined,
    },
  };
  const put = (replicas: number, metadata: object = {}) =>
    updateScale(endpoint, requestOf(replicas, metadata), scale.scale);
  return { registry, asked, put };
}

function specOf(object: object | undefined): unknown {
  return object !== undefined && "spec" in object ? object.spec : undefined;
}

function requestOf(replicas: number, metadata: object = {}): ApiRequest {
  const body = {
    kind: "Scale",
    apiVersion: "autoscaling/v1",
    metadata: { name: "web", namespace: "ns", ...metadata },
    spec: { replicas },
  };
  const { user, now } = testWriteContext();
  const asked: Omit<ApiRequest, keyof Writer> = {
    info: {
      isResourceRequest: true,
      path: "/apis/apps/v1/namespaces/ns/deployments/web/scale",
      verb: "update",
      apiPrefix: "apis",
      apiGroup: "apps",
      apiVersion: "v1",
      namespace: "ns",
      resource: "deployments",
      subresource: "scale",
      name: "web",
      parts: ["deployments", "web", "scale"],
    },
    query: new URLSearchParams(),
    requestUri: "/apis/apps/v1/namespaces/ns/deployments/web/scale",
    userAgent: "test",
    body: { bytes: Buffer.from(JSON.stringify(body)), contentType: "application/json" },
  };
  return Object.assign(serverWriter(user, now), asked);
}

test("admission sees scales, and what it makes of one is stored", async () => {
  const ground = await groundWith(({ object, oldObject }) => {
    if (oldObject !== undefined && object !== undefined) Object.assign(object, { spec: { replicas: 7 } });
  });
  const { object } = await ground.put(5);
  expect(object).toMatchObject({ spec: { replicas: 7 } });
  expect(ground.asked).toEqual([
    ["mutate", "UPDATE", "Scale", "scale", { replicas: 7 }, { replicas: 2 }],
    ["validate", "UPDATE", "Scale", "scale", { replicas: 7 }, { replicas: 2 }],
  ]);
  const stored = await ground.registry.get("ns", "web", { kind: "mostRecent" });
  expect(stored.decode().spec.replicas).toBe(7);
});

test("what admission refuses is not scaled", async () => {
  const ground = await groundWith(() => {
    throw new Error("refused");
  });
  await expect(ground.put(5)).rejects.toThrow("refused");
  const stored = await ground.registry.get("ns", "web", { kind: "mostRecent" });
  expect(stored.decode().spec.replicas).toBe(2);
});

test("the metadata of a scale is valid", async () => {
  const ground = await groundWith(() => {});
  await expect(ground.put(5, { labels: { "a/b/c": "d" } })).rejects.toThrow(
    /^Scale\.autoscaling "web" is invalid: metadata\.labels: Invalid value: "a\/b\/c": /,
  );
  await expect(ground.put(5, { namespace: undefined })).rejects.toThrow(
    'Scale.autoscaling "web" is invalid: metadata.namespace: Required value',
  );
  await expect(ground.put(5, { labels: { a: "b" } })).resolves.toMatchObject({ code: 200 });
});

test("the namespace of the request completes a scale since 1.24", async () => {
  const ground = await groundWith(() => {}, "1.24");
  await expect(ground.put(5, { namespace: undefined })).resolves.toMatchObject({ code: 200 });
});

test("admission knows a scale by the resource of its workload", async () => {
  const served: unknown[] = [];
  const { put } = await groundWith(({ forms }) => served.push(...forms.served));
  await put(5);
  expect(served).toEqual([
    { kind: scaleKind, resource: { group: "apps", version: "v1", resource: "deployments" } },
  ]);
});

test("a scale of another object is a conflict of the resource", async () => {
  const { put } = await groundWith(() => {});
  await expect(put(5, { uid: "other" })).rejects.toMatchObject({
    code: 409,
    message: expect.stringContaining(
      'Operation cannot be fulfilled on deployments.apps "web": Precondition failed',
    ),
  });
});
