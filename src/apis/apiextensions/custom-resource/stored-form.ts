import { Buffer } from "node:buffer";
import { parseJson } from "../../../apimachinery/json/json-parse.js";
import { isJsonObject } from "../../../apimachinery/json/json-value.js";
import { apiVersionOf, parseApiVersion } from "../../../apimachinery/objects/meta.js";
import type { ObjectAttributes, ObjectCodec, StoredObject } from "../../../storage/object-store.js";
import { StorageError } from "../../../storage/storage-error.js";
import type { SelectableFields } from "../../definition/resource-definition.js";
import { versionMarkOf } from "./converter.js";
import type { CustomCodec } from "./custom-codec.js";
import type { CustomObject } from "./custom-object.js";

export interface StoredFormParts {
  readonly group: string;
  readonly kind: string;
  readonly namespaced: boolean;
  readonly storage: string;
  readonly codecs: ReadonlyMap<string, CustomCodec>;
  readonly setDefaults: (object: CustomObject, version: string) => void;
  readonly selectableFields: SelectableFields<CustomObject>;
}

/**
 * The stored form of kinds that only a webhook can convert: an object in an earlier storage version stays as it is until it is read. Its
 * apiVersion, as the last member, marks it.
 */
export function unconvertedForm(parts: StoredFormParts): ObjectCodec<CustomObject> {
  const { group, kind, storage, codecs, selectableFields, namespaced } = parts;
  const codecOf = (version: string): CustomCodec => {
    const codec = codecs.get(version);
    if (codec === undefined) {
      throw new StorageError("Corrupt", `stored ${kind} has unknown version ${JSON.stringify(version)}`);
    }
    return codec;
  };
  const read = (text: string | Uint8Array, isTyped: boolean): CustomObject => {
    const value = parseJson(text);
    if (!isJsonObject(value)) throw new StorageError("Corrupt", "a stored value is no JSON object");
    const { apiVersion } = value;
    const version = typeof apiVersion === "string" ? (parseApiVersion(apiVersion)?.version ?? "") : storage;
    const object = codecOf(version).fromJson(value, { dropsMalformed: true });
    if (isTyped) parts.setDefaults(object, version);
    if (version !== storage) object.apiVersion = apiVersionOf({ group, version });
    return object;
  };
  return {
    toStorage(object) {
      const version = versionMarkOf(object) ?? storage;
      const { resourceVersion } = object.metadata;
      object.metadata.resourceVersion = undefined;
      try {
        const typeMeta = { apiVersion: apiVersionOf({ group, version }), kind };
        return Buffer.from(`${codecOf(version).toJsonWithType(object, typeMeta)}\n`);
      } finally {
        object.metadata.resourceVersion = resourceVersion;
      }
    },
    fromStorage: (bytes) => read(bytes, true),
    toBody(object) {
      const version = versionMarkOf(object);
      const json = codecOf(version ?? storage).toJson(object);
      const mark = version === undefined ? "" : `,"apiVersion":"${apiVersionOf({ group, version })}"`;
      return Buffer.from(`${json.slice(1, -1)}${mark}}`);
    },
    fromBody: (body) => read(`{${body.toString("utf8")}`, false),
    attributes(object): ObjectAttributes {
      const fields = selectableFields.values(object);
      fields["metadata.name"] = object.metadata.name ?? "";
      if (namespaced) fields["metadata.namespace"] = object.metadata.namespace ?? "";
      return { labels: object.metadata.labels ?? {}, fields };
    },
    getResourceVersion: (object) => object.metadata.resourceVersion ?? "",
    setResourceVersion(object, resourceVersion) {
      object.metadata.resourceVersion = resourceVersion;
    },
  };
}

/** No group and version is longer. */
const markBytesMax = 400;

/** Whether the body is in another version than the storage version. */
export function isMarked({ body }: StoredObject<unknown>): boolean {
  const end = body.toString("latin1", Math.max(0, body.length - markBytesMax));
  return /,"apiVersion":"[^"]*"\}$/.test(end);
}
