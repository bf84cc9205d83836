import { afterAll, beforeAll, describe, expect, vi } from "vitest";
import { type RemotePeer, startRemotePeer } from "../support/remote-peer.js";
import { TestAuthority } from "../support/test-authority.js";
import { type ApiGround, openApiGround } from "./api-ground.js";
import { resourceSuite } from "./resource-suite.js";

const group = "example.com";

interface Review {
  readonly apiVersion: string;
  readonly request: {
    readonly uid: string;
    readonly desiredAPIVersion: string;
    readonly objects: readonly { readonly spec?: Record<string, unknown> }[];
  };
}

let ground: ApiGround;
let webhook: RemotePeer;
let caBundle: string;

/** What v1 calls `sails`, v2 calls `masts`. */
function converted({ apiVersion, request }: Review): object {
  const { uid, desiredAPIVersion, objects } = request;
  const field = desiredAPIVersion.endsWith("v2") ? "masts" : "sails";
  const convertedObjects = objects.map((object) => {
    const { sails, masts, ...spec } = object.spec ?? {};
    return { ...object, apiVersion: desiredAPIVersion, spec: { ...spec, [field]: sails ?? masts } };
  });
  return {
    apiVersion,
    kind: "ConversionReview",
    response: { uid, convertedObjects, result: { status: "Success" } },
  };
}

beforeAll(async () => {
  const authority = await TestAuthority.create("conversion");
  caBundle = Buffer.from(authority.caPem).toString("base64");
  webhook = await startRemotePeer({ authority }, ({ body }) => ({ body: converted(JSON.parse(body)) }));
  ground = await openApiGround();
  await ground.server.customResources.start();
});
afterAll(async () => {
  await ground.dispose();
  await webhook.close();
});

interface Variant {
  readonly kind: string;
  readonly namespaced: boolean;
  /** Whether it has the subresources status and scale. */
  readonly hasParts: boolean;
  /** Undefined for a definition of one version. */
  readonly conversion?: "None" | "Webhook";
  /** The version that clients use. v1 is stored. */
  readonly version: "v1" | "v2";
}

const variants: readonly Variant[] = [
  { kind: "Boat", namespaced: true, hasParts: true, version: "v1" },
  { kind: "Canoe", namespaced: true, hasParts: false, version: "v1" },
  { kind: "Dinghy", namespaced: false, hasParts: true, version: "v1" },
  { kind: "Ferry", namespaced: false, hasParts: false, version: "v1" },
  { kind: "Galley", namespaced: true, hasParts: true, conversion: "None", version: "v1" },
  { kind: "Hulk", namespaced: false, hasParts: false, conversion: "None", version: "v2" },
  { kind: "Junk", namespaced: true, hasParts: true, conversion: "Webhook", version: "v1" },
  { kind: "Kayak", namespaced: true, hasParts: true, conversion: "Webhook", version: "v2" },
  { kind: "Launch", namespaced: false, hasParts: false, conversion: "Webhook", version: "v2" },
];

function definitionOf({ kind, namespaced, hasParts, conversion }: Variant) {
  const singular = kind.toLowerCase();
  const names = conversion === undefined ? ["v1"] : ["v1", "v2"];
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${singular}s.${group}` },
    spec: {
      group,
      scope: namespaced ? "Namespaced" : "Cluster",
      names: { plural: `${singular}s`, singular, kind },
      versions: names.map((name) => ({
        name,
        served: true,
        storage: name === "v1",
        ...(hasParts && {
          subresources: {
            status: {},
            scale: { specReplicasPath: ".spec.crew", statusReplicasPath: ".status.crew" },
          },
        }),
        schema: { openAPIV3Schema: schemaOf(conversion === "Webhook" && name === "v2" ? "masts" : "sails") },
      })),
      ...(conversion === "None" && { conversion: { strategy: "None" } }),
      ...(conversion === "Webhook" && {
        conversion: {
          strategy: "Webhook",
          webhook: {
            clientConfig: { url: `${webhook.url}/convert`, caBundle },
            conversionReviewVersions: ["v1"],
          },
        },
      }),
    },
  };
}

function schemaOf(count: string) {
  return {
    type: "object",
    properties: {
      spec: { type: "object", properties: { [count]: { type: "integer" }, crew: { type: "integer" } } },
      status: { type: "object", properties: { crew: { type: "integer" } } },
    },
  };
}

describe.each(variants)(
  "$kind: namespaced $namespaced, subresources $hasParts, conversion $conversion, $version",
  (variant) => {
    const { kind, namespaced, version, conversion } = variant;
    const resource = `${kind.toLowerCase()}s`;

    beforeAll(async () => {
      const definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
      const { code, body } = await ground.api.post(definitions, definitionOf(variant));
      expect(code, JSON.stringify(body)).toBe(201);
      await vi.waitFor(
        () => expect(ground.server.catalog.find(group, version, resource)).toBeDefined(),
        15_000,
      );
    });

    const count = conversion === "Webhook" && version === "v2" ? "masts" : "sails";
    resourceSuite(() => ground, {
      group,
      version,
      resource,
      kind,
      namespaced,
      ...(conversion !== undefined && { otherVersions: [version === "v1" ? "v2" : "v1"] }),
      make: (number) => ({
        apiVersion: `${group}/${version}`,
        kind,
        metadata: { name: `${kind.toLowerCase()}-${number}` },
        spec: { [count]: number },
      }),
      updatesAnyVersion: false,
      createsByUpdate: false,
      mergesStrategically: false,
    });
  },
);
