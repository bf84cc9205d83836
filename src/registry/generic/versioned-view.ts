import { unpooledBytes } from "../../apimachinery/collections/unpooled-bytes.js";
import { isJsonObject, type JsonValue } from "../../apimachinery/json/json-value.js";
import type { ConversionScope } from "../../apimachinery/objects/conversion-scope.js";
import { whenDone } from "../../apimachinery/objects/maybe-promise.js";
import { type ApiObject, apiVersionOf } from "../../apimachinery/objects/meta.js";
import type { Codec, FromJsonOptions, FromProtoOptions, TypeMeta } from "../../apimachinery/schema/codec.js";
import {
  convertToHub,
  hubVersion,
  type LocalConversion,
  listKindOf,
  type RemoteConversion,
  type Replaced,
  type ResourceDefinition,
  type VersionDefinition,
} from "../../apis/definition/resource-definition.js";
import type { StoredObject } from "../../storage/object-store.js";
import { bodyBytes } from "./body-bytes.js";
import { ConvertedForms } from "./converted-forms.js";
import { ConvertedReads } from "./converted-reads.js";

/**
 * One resource in one of its versions: what clients of that version send and receive. An object is converted once per version, and the
 * result cached while the watch cache holds the object and such forms are requested.
 */
export interface VersionedView<T extends ApiObject = ApiObject> {
  readonly definition: ResourceDefinition<T>;
  readonly version: VersionDefinition<T>;
  readonly typeMeta: TypeMeta;
  readonly listTypeMeta: TypeMeta;
  /** `{"kind":"Pod","apiVersion":"v1",`: the prefix that makes a body a whole object. */
  readonly objectHead: Buffer;
  /** Whether objects state their type everywhere, in bodies and as items of lists, as custom resources do. */
  readonly statesType: boolean;
  /** JSON without opening brace and type, in this version. */
  body(stored: StoredObject<T>): Buffer;
  /** The protobuf message (without envelope) in this version. */
  proto(stored: StoredObject<T>): Uint8Array;
  /** Whether `body` or `proto` has already been made. */
  isMade(form: "body" | "proto", stored: StoredObject<T>): boolean;
  /** Caches the result of `body` or `proto`, made elsewhere. */
  keep(form: "body" | "proto", stored: StoredObject<T>, bytes: Buffer): void;
  /** JSON of the metadata. Default: that of the stored object, which is the same in every version. */
  metadata?(stored: StoredObject<T>): Buffer;
  /** A fresh object in this version. */
  decode(stored: StoredObject<T>): ApiObject;
  /** Decodes what a client sent and sets defaults. */
  fromJson(value: JsonValue, options?: FromJsonOptions): ApiObject;
  fromProto(bytes: Uint8Array, options?: FromProtoOptions): ApiObject;
  /** Compact JSON of a whole object in this version. */
  print(object: ApiObject): string;
  /** A promise only where a webhook converts. The result of this and of `fromHub` may be the argument, or share parts with it. */
  toHub(object: ApiObject, scope: ConversionScope): T | Promise<T>;
  /**
   * Like `toHub`, for an object that a client sent in place of `replaced`: before a webhook converts it, it is validated in its own version.
   * Throws 422.
   */
  hubOfSent(sent: ApiObject, scope: ConversionScope, replaced?: Replaced<T>): T | Promise<T>;
  /** The argument of `hubOfSent` for which a webhook returned `hub`. */
  sentAs(hub: T): ApiObject | undefined;
  fromHub(hub: T, scope: ConversionScope): ApiObject | Promise<ApiObject>;
  /** Set if a webhook converts: converts stored objects and events ahead of `body`, `decode` and `proto`, which are synchronous. */
  readonly reads?: ConvertedReads<T> | undefined;
  /** The codec of the hub version. */
  readonly hubCodec: Codec<T>;
}

export function createVersionedView<T extends ApiObject>(
  definition: ResourceDefinition<T>,
  version: VersionDefinition<T>,
): VersionedView<T> {
  const apiVersion = apiVersionOf({ group: definition.group, version: version.version });
  const typeMeta = { apiVersion, kind: definition.kind };
  const { conversion } = version;
  const local = conversion.hub || conversion.remote === true ? undefined : conversion;
  const remote = !conversion.hub && conversion.remote === true ? conversion : undefined;
  return {
    definition,
    version,
    typeMeta,
    listTypeMeta: { apiVersion, kind: listKindOf(definition) },
    objectHead: unpooledBytes(
      `{"kind":${JSON.stringify(definition.kind)},"apiVersion":${JSON.stringify(apiVersion)},`,
    ),
    statesType: version.hasProtobuf === false,
    ...storedForms(version, local),
    ...(remote !== undefined && { reads: new ConvertedReads(version, remote) }),
    ...sentForms(version, typeMeta),
    ...(remote === undefined ? conversionHere(version, local) : conversionElsewhere(remote)),
    hubCodec: hubVersion(definition).codec,
  };
}

/** Stored objects as clients of the version read them. */
function storedForms<T extends ApiObject>(
  { codec }: VersionDefinition<T>,
  local: LocalConversion<T> | undefined,
): Pick<VersionedView<T>, "body" | "proto" | "isMade" | "keep" | "decode"> {
  const bodies = new ConvertedForms<StoredObject<T>, Buffer>();
  const protos = new ConvertedForms<StoredObject<T>, Uint8Array>();
  const decode = (stored: StoredObject<T>): ApiObject => shownBy(local, stored.decode());
  const sharesBody = (stored: StoredObject<T>): boolean =>
    local === undefined || local.sharesBody?.(stored) === true;
  const bodyOf = (stored: StoredObject<T>): Buffer => bodyBytes(codec.toJson(decode(stored)));
  const protoOf = (stored: StoredObject<T>): Uint8Array => codec.toProto(decode(stored));
  return {
    body: (stored) => (sharesBody(stored) ? stored.body : bodies.get(stored, bodyOf)),
    proto: (stored) => protos.get(stored, protoOf),
    isMade: (form, stored) =>
      form === "proto"
        ? protos.known(stored) !== undefined
        : sharesBody(stored) || bodies.known(stored) !== undefined,
    keep(form, stored, bytes) {
      if (form === "proto") protos.keep(stored, bytes);
      else bodies.keep(stored, bytes);
    },
    decode,
  };
}

/** Objects as clients of the version send them. */
function sentForms<T extends ApiObject>(
  version: VersionDefinition<T>,
  typeMeta: TypeMeta,
): Pick<VersionedView<T>, "fromJson" | "fromProto" | "print"> {
  const { codec } = version;
  return {
    fromJson(value, options) {
      const object = codec.fromJson(value, options);
      // Decoding drops empty lists, but except in custom resources an empty list of managed fields means the same as one empty entry.
      if (codec.schema !== undefined && hasEmptyManagers(value)) object.metadata.managedFields = [{}];
      version.setDefaults(object, options?.keepsNulls);
      return object;
    },
    fromProto(bytes, options) {
      const object = codec.fromProto(bytes, options);
      version.setDefaults(object);
      return object;
    },
    print: (object) => codec.toJsonWithType(object, typeMeta),
  };
}

type Conversions<T extends ApiObject> = Pick<VersionedView<T>, "toHub" | "hubOfSent" | "sentAs" | "fromHub">;

function conversionHere<T extends ApiObject>(
  version: VersionDefinition<T>,
  local: LocalConversion<T> | undefined,
): Conversions<T> {
  const toHub = (object: ApiObject): T => convertToHub(version, object);
  return { toHub, hubOfSent: toHub, sentAs: () => undefined, fromHub: (hub) => shownBy(local, hub) };
}

function conversionElsewhere<T extends ApiObject>(remote: RemoteConversion<T>): Conversions<T> {
  const sentOf = new WeakMap<T, ApiObject>();
  return {
    toHub: (object, scope) => remote.toHub(object, scope),
    hubOfSent(sent, scope, replaced) {
      const converting = whenDone(remote.check(sent, scope, replaced), () => remote.toHub(sent, scope));
      return whenDone(converting, (hub) => {
        sentOf.set(hub, sent);
        return hub;
      });
    },
    sentAs: (hub) => sentOf.get(hub),
    fromHub: (hub, scope) => remote.fromHub(hub, scope),
  };
}

/** A hub object as clients of the version see it, before admission or a webhook changes it. */
function shownBy<T extends ApiObject>(local: LocalConversion<T> | undefined, hub: T): ApiObject {
  return local === undefined ? hub : local.fromHub(hub);
}

function hasEmptyManagers(value: JsonValue): boolean {
  const metadata = isJsonObject(value) ? value.metadata : undefined;
  const managers = isJsonObject(metadata) ? metadata.managedFields : undefined;
  return Array.isArray(managers) && managers.length === 0;
}
