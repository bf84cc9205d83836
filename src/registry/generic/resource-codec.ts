import { parseJson } from "../../apimachinery/json/json-parse.js";
import { isJsonObject, type JsonValue } from "../../apimachinery/json/json-value.js";
import { parseExceptSets } from "../../apimachinery/managed-fields/unparsed-sets.js";
import { type ApiObject, apiVersionOf } from "../../apimachinery/objects/meta.js";
import type { TypeMeta } from "../../apimachinery/schema/codec.js";
import { decodeEnvelope, encodeEnvelope, hasEnvelope } from "../../apimachinery/schema/envelope.js";
import { parseExcept } from "../../apimachinery/schema/parse-except.js";
import {
  convertFromHub,
  convertToHub,
  type HubVersion,
  hubVersion,
  type ResourceDefinition,
  type StorageDefinition,
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
 * Encodes a resource's objects as Kubernetes does: in the storage version, in the protobuf envelope or as JSON, which reuses the body if
 * that is in the storage version. Decodes every version of the kind in both encodings, whatever is configured. `selectsUids`: the
 * attributes include the uid, which shard selectors use.
 */
export function createResourceCodec<T extends ApiObject>(
  definition: ResourceDefinition<T>,
  mediaType: StoredMediaType,
  { selectsUids = false }: { readonly selectsUids?: boolean } = {},
): ObjectCodec<T> {
  const { storage } = definition;
  if (storage === undefined) throw new Error(`${definition.resource} is virtual and has no codec`);
  return new ResourceCodec(definition, storage, mediaType, selectsUids);
}

type StoredMediaType = "protobuf" | "json";

class ResourceCodec<T extends ApiObject> implements ObjectCodec<T> {
  /** The bytes around the members of an object that is stored with its body unchanged. */
  readonly storedWrapper: ObjectCodec<T>["storedWrapper"];
  readonly #definition: ResourceDefinition<T>;
  readonly #storage: StorageDefinition;
  readonly #hub: HubVersion<T>;
  /** The storage version. */
  readonly #written: VersionDefinition<T>;
  readonly #typeMeta: TypeMeta;
  readonly #isJson: boolean;
  readonly #storedHead: Buffer;
  readonly #selectsUids: boolean;

  constructor(
    definition: ResourceDefinition<T>,
    storage: StorageDefinition,
    mediaType: StoredMediaType,
    selectsUids: boolean,
  ) {
    const { group, kind } = definition;
    const written = versionNamed(definition, storage.version);
    const typeMeta = { apiVersion: apiVersionOf({ group, version: storage.version }), kind };
    this.#definition = definition;
    this.#storage = storage;
    this.#hub = hubVersion(definition);
    this.#written = written;
    this.#typeMeta = typeMeta;
    this.#isJson = (storage.mediaType ?? mediaType) === "json" || written.hasProtobuf === false;
    this.storedWrapper =
      this.#isJson && written.conversion.hub
        ? { before: written.codec.printTypeHead(typeMeta), after: "\n" }
        : undefined;
    this.#storedHead = Buffer.from(this.storedWrapper?.before ?? "");
    this.#selectsUids = selectsUids;
  }

  toStorage(object: T): Uint8Array {
    const written = this.#written;
    const resourceVersion = object.metadata.resourceVersion;
    object.metadata.resourceVersion = undefined;
    try {
      const form = written.conversion.hub ? object : convertFromHub(written, this.#hub.codec.clone(object));
      return this.#isJson
        ? Buffer.from(`${written.codec.toJsonWithType(form, this.#typeMeta)}\n`)
        : encodeEnvelope(this.#typeMeta, written.codec.toProto(form));
    } finally {
      object.metadata.resourceVersion = resourceVersion;
    }
  }

  fromStorage(bytes: Uint8Array): T {
    if (hasEnvelope(bytes)) {
      const { typeMeta, raw } = decodeEnvelope(bytes);
      const version = this.#storedVersion(typeMeta.apiVersion);
      return this.#toHub(version, version.codec.fromProto(raw, { leaveFieldSets: true }));
    }
    const stored = this.#parseStored(bytes);
    if (!isJsonObject(stored))
      throw new StorageError("Corrupt", "stored value is neither an envelope nor a JSON object");
    const value = this.#storage.upgrade?.(stored) ?? stored;
    const version = this.#storedVersion(String(value.apiVersion));
    return this.#toHub(version, version.codec.fromJson(value, storedValue));
  }

  toBody(object: T): Buffer {
    return bodyBytes(this.#hub.codec.toStoredJson(object));
  }

  preparation(): Iterable<() => void> | undefined {
    return this.#hub.preparation?.();
  }

  fromBody(body: Buffer): T {
    return this.#hub.codec.fromJson(this.#parseBody(body), storedValue);
  }

  attributes(object: T): ObjectAttributes {
    const { namespaced, selectableFields } = this.#definition;
    const { names, values } = selectableFields;
    const fields: Record<string, string> = names.length === 0 ? {} : values(object);
    fields["metadata.name"] = object.metadata.name ?? "";
    if (namespaced) fields["metadata.namespace"] = object.metadata.namespace ?? "";
    if (this.#selectsUids) fields["metadata.uid"] = object.metadata.uid ?? "";
    return { labels: object.metadata.labels ?? noLabels, fields };
  }

  getResourceVersion(object: T): string {
    return object.metadata.resourceVersion ?? "";
  }

  setResourceVersion(object: T, resourceVersion: string): void {
    object.metadata.resourceVersion = resourceVersion;
  }

  #parseBody(body: Buffer): JsonValue {
    const { deferred } = this.#storage;
    if (deferred !== undefined && this.#written === this.#hub) return parseExcept(body, deferred);
    return body.length > largeBytes ? parseExceptSets(body) : parseJson(`{${body.toString("utf8")}`);
  }

  /** Only text that begins like this server's is assumed to be compact. */
  #parseStored(bytes: Uint8Array): JsonValue {
    const { deferred } = this.#storage;
    const head = this.#storedHead;
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const isOwn = head.length > 0 && text.subarray(0, head.length).equals(head);
    return deferred !== undefined && isOwn ? parseExcept(text.subarray(1), deferred) : parseJson(text);
  }

  #storedVersion(apiVersion: string): VersionDefinition<T> {
    const version = apiVersion.slice(apiVersion.indexOf("/") + 1);
    const known = findStoredVersion(this.#definition, version);
    if (known === undefined) {
      throw new StorageError(
        "Corrupt",
        `stored ${this.#definition.kind} has unknown version ${JSON.stringify(apiVersion)}`,
      );
    }
    return known;
  }

  #toHub(version: VersionDefinition<T>, object: ApiObject): T {
    version.setDefaults(object);
    const hubObject = convertToHub(version, object);
    this.#definition.setReadDefaults?.(hubObject);
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
