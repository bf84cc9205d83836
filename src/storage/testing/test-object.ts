import type { ObjectCodec } from "../object-store.js";

/** An object as small as the contract of object stores allows. */
export interface TestObject {
  metadata: {
    name: string;
    namespace: string;
    resourceVersion?: string | undefined;
    labels: Record<string, string>;
  };
  value: string;
}

export function testObject(key: string, value: string, labels: Record<string, string> = {}): TestObject {
  const [namespace = "", name = ""] = key.split("/");
  return { metadata: { name, namespace, labels: { ...labels } }, value };
}

export interface CodecCounts {
  decoded: number;
  encoded: number;
}

/** JSON throughout. Counts the work that a cache should save. */
export function createTestCodec(counts: CodecCounts = { decoded: 0, encoded: 0 }): ObjectCodec<TestObject> {
  return {
    toStorage(object) {
      const { resourceVersion: _, ...metadata } = object.metadata;
      return Buffer.from(JSON.stringify({ ...object, metadata }));
    },
    fromStorage(bytes) {
      counts.decoded++;
      return parse(Buffer.from(bytes).toString());
    },
    toBody(object) {
      counts.encoded++;
      return Buffer.from(JSON.stringify(object).slice(1));
    },
    fromBody: (body) => parse(`{${body.toString()}`),
    attributes: ({ metadata }) => ({
      labels: metadata.labels,
      fields: { "metadata.name": metadata.name, "metadata.namespace": metadata.namespace },
    }),
    getResourceVersion: ({ metadata }) => metadata.resourceVersion ?? "",
    setResourceVersion({ metadata }, resourceVersion) {
      if (resourceVersion === "") delete metadata.resourceVersion;
      else metadata.resourceVersion = resourceVersion;
    },
  };
}

function parse(text: string): TestObject {
  return JSON.parse(text) as TestObject; // written by toStorage or toBody
}
