import { parseJson } from "../../apimachinery/json/json-parse.js";
import { isJsonObject, type JsonValue } from "../../apimachinery/json/json-value.js";
import { parseExceptSets } from "../../apimachinery/managed-fields/unparsed-sets.js";
import { type ApiObject, apiVersionOf } from "../../apimachinery/objects/meta.js";
import { decodeEnvelope, encodeEnvelope, hasEnvelope } from "../../apimachinery/schema/envelope.js";
import { parseExcept } from "../../apimachinery/schema/parse-except.js";
import {
  convertFromHub,
  convertToHub,
  hubVersion,
  type ResourceDefinition,
  type VersionDefinition,
} from "../../apis/definition/resource-definition.js";
import type { ObjectAttributes, ObjectCodec } from "../../storage/object-store.js";
import { StorageError } from "../../storage/storage-error.js";
import { bodyBytes } from "./body-bytes.js";

/** Smaller objects have no large field sets. */
const largeBytes = 32 * 1024;

/** How a stored object is read. */
export const storedValue = { adopts: true, dropsMalformed: true } as const;

const noLabels: Readonly<Record<string, string>> = Object.freeze({});

/**
 * Encodes a resource's objects as Kubernetes does: in the storage version, in the protobuf envelope or as JSON, which is made of the body
 * if that has the storage version. Decodes every version of the kind in either form, whatever is configured now. `selectsUids`: the
 * attributes include the uid, by which shards select.
 */
export function createResourceCodec<T extends ApiObject>(
  definition: ResourceDefinition<T>,
  mediaType: "protobuf" | "json",
  { selectsUids = false }: { readonly selectsUids?: boolean } = {},
): ObjectCodec<T> {
  const storage = definition.storage;
  if (storage === undefined) throw new Error(`${definition.resource} is virtual and has no codec`);
  const hub = hubVersion(definition);
  const written = versionNamed(definition, storage.version);
  const typeMeta = {
    apiVersion: apiVersionOf({ group: definition.group, version: storage.version }),
    kind: definition.kind,
  };
  const { names, values } = definition.selectableFields;
  const isJson = (storage.mediaType ?? mediaType) === "json" || written.hasProtobuf === false;
  const { deferred } = storage;
  const leavesMembers = deferred !== undefined && written === hub;
  const storedAround =
    isJson && written.conversion.hub
      ? { before: written.codec.printTypeHead(typeMeta), after: "\n" }
      : undefined;
  const storedHead = Buffer.from(storedAround?.before ?? "");

  return {
    ...(storedAround !== undefined && { storedAround }),
    toStorage(object) {
      const resourceVersion = object.metadata.resourceVersion;
      object.metadata.resourceVersion = undefined;
      try {
        const form = written.conversion.hub ? object : convertFromHub(written, hub.codec.clone(object));
        return isJson
          ? Buffer.from(`${written.codec.toJsonWithType(form, typeMeta)}\n`)
          : encodeEnvelope(typeMeta, written.codec.toProto(form));
      } finally {
        object.metadata.resourceVersion = resourceVersion;
      }
    },
    fromStorage(bytes) {
      if (hasEnvelope(bytes)) {
        const { typeMeta: stored, raw } = decodeEnvelope(bytes);
        const version = storedVersion(stored.apiVersion);
        return toHub(version, version.codec.fromProto(raw, { leaveFieldSets: true }));
      }
      const stored = parseStored(bytes);
      if (!isJsonObject(stored))
        throw new StorageError("Corrupt", "stored value is neither an envelope nor a JSON object");
      const value = storage.upgrade?.(stored) ?? stored;
      const version = storedVersion(String(value.apiVersion));
      return toHub(version, version.codec.fromJson(value, storedValue));
    },
    toBody: (object) => bodyBytes(hub.codec.toStoredJson(object)),
    preparation: () => hub.preparation?.(),
    fromBody: (body) => hub.codec.fromJson(parseBody(body), storedValue),
    attributes(object): ObjectAttributes {
      const fields: Record<string, string> = names.length === 0 ? {} : values(object);
      fields["metadata.name"] = object.metadata.name ?? "";
      if (definition.namespaced) fields["metadata.namespace"] = object.metadata.namespace ?? "";
      if (selectsUids) fields["metadata.uid"] = object.metadata.uid ?? "";
      return { labels: object.metadata.labels ?? noLabels, fields };
    },
    getResourceVersion: (object) => object.metadata.resourceVersion ?? "",
    setResourceVersion(object, resourceVersion) {
      object.metadata.resourceVersion = resourceVersion;
    },
  };

  function parseBody(body: Buffer): JsonValue {
    if (leavesMembers) return parseExcept(body, deferred);
    return body.length > largeBytes ? parseExceptSets(body) : parseJson(`{${body.toString("utf8")}`);
  }

  /** Only text that begins like this server's is assumed to be compact. */
  function parseStored(bytes: Uint8Array): JsonValue {
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const isOwn = storedHead.length > 0 && text.subarray(0, storedHead.length).equals(storedHead);
    return deferred !== undefined && isOwn ? parseExcept(text.subarray(1), deferred) : parseJson(text);
  }

  function storedVersion(apiVersion: string): VersionDefinition<T> {
    const version = apiVersion.slice(apiVersion.indexOf("/") + 1);
    const known = findStoredVersion(definition, version);
    if (known === undefined) {
      throw new StorageError(
        "Corrupt",
        `stored ${definition.kind} has unknown version ${JSON.stringify(apiVersion)}`,
      );
    }
    return known;
  }

  function toHub(version: VersionDefinition<T>, object: ApiObject): T {
    version.setDefaults(object);
    const hubObject = convertToHub(version, object);
    definition.setReadDefaults?.(hubObject);
    return hubObject;
  }
}

function versionNamed<T extends ApiObject>(
  definition: ResourceDefinition<T>,
  version: string,
): VersionDefinition<T> {
  const found = findStoredVersion(definition, version);
  if (found === undefined) throw new Error(`${definition.resource} has no version ${version}`);
  return found;
}

function findStoredVersion<T extends ApiObject>(
  { versions, unservedVersions }: ResourceDefinition<T>,
  name: string,
): VersionDefinition<T> | undefined {
  const isNamed = ({ version }: VersionDefinition<T>): boolean => version === name;
  return versions.find(isNamed) ?? unservedVersions?.find(isNamed);
}
