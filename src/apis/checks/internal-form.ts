import { PrintedValue, printValue } from "../../apimachinery/errors/printed-value.js";
import { parseJson } from "../../apimachinery/json/json-parse.js";
import { printJson } from "../../apimachinery/json/json-print.js";
import { isJsonObject, type JsonObject, type JsonValue } from "../../apimachinery/json/json-value.js";
import { zeroOf } from "../../apimachinery/schema/canonical.js";
import type { ElementType, FieldSchema, MessageSchema } from "../../apimachinery/schema/message-schema.js";
import type { SchemaSource } from "../definition/api-context.js";

/** Go names that are not the JSON name with an initial capital. */
const goNames: { readonly [name: string]: string } = {
  apiGroup: "APIGroup",
  apiVersion: "APIVersion",
  awsElasticBlockStore: "AWSElasticBlockStore",
  cel: "CEL",
  cephfs: "CephFS",
  chapAuthDiscovery: "DiscoveryCHAPAuth",
  chapAuthSession: "SessionCHAPAuth",
  csi: "CSI",
  diskURI: "DataDiskURI",
  dnsConfig: "DNSConfig",
  dnsPolicy: "DNSPolicy",
  endpoints: "EndpointsName",
  fc: "FC",
  fsGroup: "FSGroup",
  fsGroupChangePolicy: "FSGroupChangePolicy",
  fsType: "FSType",
  gcePersistentDisk: "GCEPersistentDisk",
  gmsaCredentialSpec: "GMSACredentialSpec",
  gmsaCredentialSpecName: "GMSACredentialSpecName",
  grpc: "GRPC",
  httpGet: "HTTPGet",
  httpHeaders: "HTTPHeaders",
  ip: "IP",
  iqn: "IQN",
  iscsi: "ISCSI",
  iscsiInterface: "ISCSIInterface",
  nfs: "NFS",
  os: "OS",
  pdName: "PDName",
  rbd: "RBD",
  seLinuxChangePolicy: "SELinuxChangePolicy",
  seLinuxOptions: "SELinuxOptions",
  sslEnabled: "SSLEnabled",
  storageos: "StorageOS",
  tcpSocket: "TCPSocket",
  tty: "TTY",
  uid: "UID",
  wwids: "WWIDs",
};

const cephNames = { monitors: "CephMonitors", image: "RBDImage", pool: "RBDPool", user: "RadosUser" };
const goNamesOf: { readonly [type: string]: { readonly [name: string]: string } } = {
  "core/v1.RBDVolumeSource": cephNames,
  "core/v1.RBDPersistentVolumeSource": cephNames,
};

const movedSources = { quobyte: "rbd", flexVolume: "iscsi" };
/** Fields in another position in the internal type than in the version, with the field before each. */
const movedFields: { readonly [type: string]: { readonly [name: string]: string } } = {
  "core/v1.PodSpec": {
    setHostnameAsFQDN: "subdomain",
    preemptionPolicy: "priority",
    overhead: "runtimeClassName",
  },
  "core/v1.PodSecurityContext": { fsGroupChangePolicy: "fsGroup" },
  "core/v1.Volume": { quobyte: "rbd" },
  "core/v1.PersistentVolumeSource": movedSources,
  "core/v1.PersistentVolumeSpec": movedSources,
};

/** Fields of a pod spec that the internal type has in the security context. */
const hostFields = ["hostNetwork", "hostPID", "hostIPC", "shareProcessNamespace", "hostUsers"];

/**
 * An object of the type as Kubernetes shows it in messages since 1.34: JSON of its internal type, which has the names of Go and shows absent
 * fields.
 */
function internalForm<T extends object>(schemas: SchemaSource, type: string, object: T): JsonValue {
  const element: ElementType = { kind: "message", message: schemas.message(type) };
  return internalElement(element, parseJson(schemas.codec<T>(type).toJson(object)));
}

/** The lines of that form. */
export function internalLines<T extends object>(
  schemas: SchemaSource,
  type: string,
  object: T,
): readonly string[] {
  return printJson(internalForm(schemas, type, object), { indent: " " }).split("\n");
}

/** A bad value in that form; `before` is how levels before 1.34 show it. */
export function printInternal<T extends object>(
  schemas: SchemaSource,
  type: string,
  value: T | undefined,
  before?: string,
): PrintedValue {
  return new PrintedValue(
    () => before ?? printValue(value),
    () => (value === undefined ? "null" : printJson(internalForm(schemas, type, value))),
  );
}

/** The same for a list. */
export function printInternalList<T extends object>(
  schemas: SchemaSource,
  type: string,
  values: readonly T[] | undefined,
): PrintedValue {
  return new PrintedValue(
    () => printValue(values),
    () =>
      values === undefined ? "null" : printJson(values.map((value) => internalForm(schemas, type, value))),
  );
}

function internalElement(element: ElementType, value: JsonValue | undefined): JsonValue {
  if (element.kind === "message") return internalObject(element.message, isJsonObject(value) ? value : {});
  return value ?? zeroJson(element);
}

function zeroJson(element: ElementType): JsonValue {
  const zero = zeroOf(element);
  return typeof zero === "string" || typeof zero === "number" || typeof zero === "boolean" ? zero : null;
}

function internalObject(message: MessageSchema, object: JsonObject): JsonObject {
  // Types that have no internal form are shown as they are.
  if (message.name.startsWith("meta/")) return object;
  const shown: { [name: string]: JsonValue } = {};
  for (const field of internalFields(message)) {
    // Metadata within an object is part of it.
    if (field.name === "metadata") Object.assign(shown, asObject(object.metadata));
    else if (message.name === "core/v1.PodSpec" && field.name === "securityContext") {
      shown.SecurityContext = {
        ...hostMembers(message, object),
        ...asObject(internalElement(field.element, object.securityContext)),
      };
    } else shown[goName(message, field)] = internalValue(field, object[field.name] ?? undefined);
  }
  return shown;
}

function asObject(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

function hostMembers(message: MessageSchema, object: JsonObject): JsonObject {
  const members: { [name: string]: JsonValue } = {};
  for (const name of hostFields) {
    const field = message.jsonFields.get(name);
    if (field !== undefined) members[goName(message, field)] = internalValue(field, object[name]);
  }
  return members;
}

function internalValue(field: FieldSchema, value: JsonValue | undefined): JsonValue {
  const { element, cardinality } = field;
  if (cardinality === "list") {
    return Array.isArray(value) ? value.map((item) => internalElement(element, item)) : null;
  }
  if (cardinality === "map") {
    if (!isJsonObject(value)) return null;
    const entries = Object.entries(value).map(
      ([key, item]) => [key, internalElement(element, item)] as const,
    );
    return Object.fromEntries(entries);
  }
  return value === undefined && field.pointer ? null : internalElement(element, value);
}

function goName(message: MessageSchema, { name }: FieldSchema): string {
  return (
    goNamesOf[message.name]?.[name] ?? goNames[name] ?? `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`
  );
}

function internalFields(message: MessageSchema): readonly FieldSchema[] {
  const fields = [...message.jsonFields.values()].filter(
    ({ name }) =>
      message.name !== "core/v1.PodSpec" || !(hostFields.includes(name) || name === "serviceAccount"),
  );
  for (const [name, before] of Object.entries(movedFields[message.name] ?? {})) {
    const from = fields.findIndex((field) => field.name === name);
    const to = fields.findIndex((field) => field.name === before);
    // A level may lack the field.
    const [moved] = from === -1 ? [] : fields.splice(from, 1);
    if (moved !== undefined) fields.splice(from < to ? to : to + 1, 0, moved);
  }
  return fields;
}
