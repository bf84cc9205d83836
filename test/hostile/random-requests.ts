import { gzipSync } from "node:zlib";
import { testSigningRequest } from "../../src/admission/testing/signing-request.js";
import { encodeEnvelope } from "../../src/apimachinery/schema/envelope.js";
import { testApiContext } from "../../src/apis/testing/api-context.js";
import type { Random } from "../robustness/random.js";
import { fullObjects } from "../support/full-objects/full-objects.js";
import { minimalObjects } from "../support/minimal-objects.js";
import { collectionOf, storedKinds } from "../support/stored-kinds.js";
import type { HostileRequest } from "./hostile-request.js";
import { Mutation, pickOf } from "./mutation.js";

/** Each of the thousands of kinds is served sooner. */
const drawnMax = 1_000_000;
/** What the server under test dials when such an object is there, or which would make it refuse every other write. */
const dryRunOnly = /webhookconfigurations|apiservices/;
const connecting = new Set(["proxy", "exec", "attach", "log", "portforward"]);
const methods = ["GET", "GET", "POST", "POST", "PUT", "PATCH", "PATCH", "DELETE", "HEAD", "OPTIONS", "PURGE"];
const names = [
  "a",
  "a",
  "a",
  "b",
  "default",
  "%00",
  "%zz",
  "..",
  "%2F",
  "A_B",
  "x".repeat(300),
  "%ff",
  "__proto__",
  "",
];
const oddSubresources = ["nothing", "token", "status/x", "status", "scale"];
const queries = [
  "limit=-1",
  "limit=1",
  "limit=1&continue=x",
  "resourceVersion=0",
  "resourceVersion=99999999999999999999999",
  "resourceVersionMatch=Exact",
  "resourceVersion=0&resourceVersionMatch=NotOlderThan",
  "watch=1&resourceVersion=x",
  "watch=1&allowWatchBookmarks=true",
  "watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan",
  "labelSelector=a+in+(",
  "labelSelector=a+in+(b,c),!d",
  "fieldSelector=%5C",
  "fieldSelector=metadata.name%3Da",
  "dryRun=x",
  "dryRun=All&fieldValidation=Strict",
  "fieldManager=%00",
  "fieldManager=m&force=true",
  "force=x&gracePeriodSeconds=x",
  "gracePeriodSeconds=0&propagationPolicy=Foreground",
  "includeObject=x",
  "includeObject=Object",
  "pretty=1",
  "timeout=x",
  "timeout=1ms",
  "%zz",
  "__proto__=1",
];
const accepts = [
  "application/json",
  "application/yaml",
  "application/vnd.kubernetes.protobuf",
  "application/json;stream=watch",
  "application/json;as=Table;g=meta.k8s.io;v=v1",
  "application/json;as=Table;g=meta.k8s.io;v=v1beta1,application/json",
  "application/vnd.kubernetes.protobuf;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1",
  "application/yaml;as=PartialObjectMetadata;g=meta.k8s.io;v=v1",
  'image/png;a="',
  "*/*;q=0",
  ",",
  "",
];
const contentTypes = [
  "application/json",
  "application/yaml",
  "application/vnd.kubernetes.protobuf",
  "application/json; charset=utf-16",
  "text/plain",
];
const patchTypes = [
  "application/json-patch+json",
  "application/merge-patch+json",
  "application/strategic-merge-patch+json",
  "application/apply-patch+yaml",
];
const oddHeaders: readonly (readonly [string, string])[] = [
  ["impersonate-user", "jane"],
  ["impersonate-user", "system:serviceaccount:default:default"],
  ["impersonate-extra-__proto__", "x"],
  ["impersonate-group", "system:masters"],
  ["authorization", "Bearer x"],
  ["authorization", "Basic eDp5"],
  ["accept-encoding", "gzip"],
  ["accept-encoding", "gzip;q=0, br"],
  ["if-none-match", '"x"'],
  ["expect", "100-continue"],
  ["user-agent", "\u00ff"],
  ["x-forwarded-for", "::1, 1.2.3.4"],
  ["origin", "http://example.org"],
  ["content-encoding", "gzip"],
];

interface Target {
  readonly name: string;
  readonly collection: string;
  readonly subresources: readonly string[];
  readonly objects: readonly object[];
}

/** Requests over every kind and version, put together and damaged as the source of chances says: the same seed, the same requests. */
export class RandomRequests {
  readonly #random: Random;
  readonly #mutation: Mutation;
  readonly #targets: readonly Target[];
  readonly #configMap: Uint8Array;
  readonly #wantsKind: (kind: string) => boolean;

  private constructor(
    random: Random,
    targets: readonly Target[],
    configMap: Uint8Array,
    wantsKind: (kind: string) => boolean,
  ) {
    this.#random = random;
    this.#wantsKind = wantsKind;
    this.#mutation = new Mutation(random);
    this.#targets = targets;
    this.#configMap = configMap;
  }

  /** `wantsKind`: which kinds of requests are made, all by default. */
  static async create(
    random: Random,
    wantsKind: (kind: string) => boolean = () => true,
  ): Promise<RandomRequests> {
    const context = testApiContext();
    const minimal = await minimalObjects(context.naming);
    const full = fullObjects(context.naming, await testSigningRequest({ commonName: "hostile" }));
    const targets = storedKinds(context).flatMap(({ definition, versions, name }) =>
      versions.map(
        ({ version }): Target => ({
          name,
          collection: collectionOf(definition, version),
          subresources: definition.subresources.map((subresource) => subresource.name),
          objects: [minimal[name] ?? {}, ...(full[name] ?? [])].map((object) => ({
            apiVersion: definition.group === "" ? version : `${definition.group}/${version}`,
            kind: definition.kind,
            ...object,
          })),
        }),
      ),
    );
    const codec = context.schemas.codec("core/v1.ConfigMap");
    const message = codec.toProto(codec.fromJson({ metadata: { name: "a" }, data: { b: "c" } }));
    return new RandomRequests(
      random,
      targets,
      encodeEnvelope({ apiVersion: "v1", kind: "ConfigMap" }, message),
      wantsKind,
    );
  }

  next(): HostileRequest {
    const random = this.#random;
    const { target, method, path, big, kind } = this.#asked();
    const isWrite = !["GET", "HEAD", "OPTIONS"].includes(method);
    return {
      kind,
      method,
      path: `${path}?${this.#query(dryRunOnly.test(target.name))}`,
      headers: this.#headers(method),
      ...(isWrite && { body: this.#body(target, method, big) }),
      http: random.chance(0.5) ? "1" : "2",
      ...(random.chance(0.03) && { leaveAfterMs: random.between(0, 20) }),
      ...(random.chance(0.02) && { anonymous: true }),
    };
  }

  #asked(): { target: Target; method: string; path: string; big: boolean; kind: string } {
    const random = this.#random;
    for (let drawn = 0; drawn < drawnMax; drawn++) {
      const target = this.#pick(this.#targets);
      const method = this.#pick(methods);
      const subresource = random.chance(0.15) ? this.#pick([...target.subresources, ...oddSubresources]) : "";
      const connects = connecting.has(subresource);
      const named = method !== "POST" && random.chance(0.75);
      const name = connects ? "nothing" : named || subresource !== "" ? this.#pick(names) : "";
      const collection = random.chance(0.05)
        ? target.collection.replace("/default/", `/${this.#pick(names)}/`)
        : target.collection;
      const path = [collection, name, subresource].filter((part) => part !== "").join("/");
      const big = random.chance(0.1);
      const isRead = ["GET", "HEAD", "OPTIONS"].includes(method);
      const kind = `${method} ${target.name}${subresource === "" ? "" : `/${subresource}`}${big && !isRead ? ", big" : ""}`;
      if (this.#wantsKind(kind)) return { target, method, path, big, kind };
    }
    throw new Error("no random request is of the wanted kind");
  }

  #query(dryRun: boolean): string {
    const random = this.#random;
    const given = random.chance(0.5) ? `${this.#pick(queries)}&` : "";
    return `${given}timeoutSeconds=1${dryRun ? "&dryRun=All" : ""}`;
  }

  #headers(method: string): Record<string, string> {
    const random = this.#random;
    const headers: Record<string, string> = { accept: this.#pick(accepts) };
    if (method === "PATCH")
      headers["content-type"] = this.#pick([...patchTypes, ...patchTypes, ...contentTypes]);
    else if (method !== "GET") headers["content-type"] = this.#pick(contentTypes);
    if (random.chance(0.2)) {
      const [name, value] = this.#pick(oddHeaders);
      headers[name] = value;
    }
    return headers;
  }

  #body(target: Target, method: string, big: boolean): string | Uint8Array | undefined {
    const random = this.#random;
    if (method === "DELETE" && random.chance(0.5)) return undefined;
    if (method === "PATCH" && random.chance(0.3))
      return this.#mutation.jsonPatch(this.#pick(target.objects), big);
    const object = { metadata: { name: this.#pick(["a", "b"]) }, ...this.#pick(target.objects) };
    const text = this.#mutation.changed(object, big);
    switch (random.between(0, 11)) {
      case 0:
        return this.#mutation.text(big);
      case 1:
        return gzipSync(text);
      case 2:
        return this.#mutation.damaged(Buffer.from(text));
      case 3:
        return this.#mutation.damaged(Buffer.from(this.#configMap));
      default:
        return text;
    }
  }

  #pick<T>(items: readonly T[]): T {
    return pickOf(this.#random, items);
  }
}
