import { FieldPath, invalid } from "../../apimachinery/errors/field-error.js";
import { shortened } from "../../apimachinery/errors/printed-value.js";
import { sortedJsonText } from "../../apimachinery/errors/shown-value.js";
import { badRequest, invalidObject, type StatusError } from "../../apimachinery/errors/status.js";
import { printJson } from "../../apimachinery/json/json-print.js";
import { isJsonObject, type JsonObject, type JsonValue } from "../../apimachinery/json/json-value.js";
import { jsonTypeName } from "../../apimachinery/json/unmarshal-problem.js";
import type { NumberTexts } from "../../apimachinery/json/written-number.js";
import { isAtLeast } from "../../apimachinery/levels/api-level.js";
import { type ApiObject, parseApiVersion } from "../../apimachinery/objects/meta.js";
import {
  type Codec,
  DecodeError,
  type FromJsonOptions,
  type FromProtoOptions,
  type TypeMeta,
} from "../../apimachinery/schema/codec.js";
import type { ApiRequest } from "../../request/api-request.js";
import { traced } from "../../telemetry/span.js";
import type { BodySettings } from "./body-settings.js";
import { FieldReports, fieldValidationOf } from "./field-validation.js";
import type { ParsedBody } from "./parse-body.js";
import { unrecognizedBody } from "./unrecognized-body.js";

/** The expected type of a body: a kind in one version, or an object that is not a resource. */
export interface BodyType<V> {
  readonly typeMeta: TypeMeta;
  /** Other versions that a body may state, because their fields are the same. */
  readonly otherApiVersions?: readonly string[];
  /** A body must state its type, as for custom resources. */
  readonly statesType?: boolean;
  /** Any kind is accepted: only a part is written, and the object keeps its kind. */
  readonly ignoresKind?: boolean;
  fromJson(value: JsonValue, options?: FromJsonOptions): V;
  fromProto(bytes: Uint8Array, options?: FromProtoOptions): V;
  /** Compact JSON of the whole object, in this version. */
  print(object: V): string;
}

/** The type of a Binding, an Eviction or another object without a view. */
export function bodyType<V>(
  codec: Codec<V>,
  typeMeta: TypeMeta,
  otherApiVersions: readonly string[] = [],
): BodyType<V> {
  return {
    typeMeta,
    otherApiVersions,
    fromJson: (value, options) => codec.fromJson(value, options),
    fromProto: (bytes, options) => codec.fromProto(bytes, options),
    print: (object) => codec.toJsonWithType(object, typeMeta),
  };
}

/**
 * The object in the body of a create or update, for a view in its version with defaults. A promise only for a body that is YAML. Throws
 * 400 for a body that is missing, has another kind or version, or does not fit the type.
 */
export function decodeBody<V extends ApiObject>(
  type: BodyType<V>,
  settings: BodySettings,
  request: ApiRequest,
): V | Promise<V> {
  request.step("About to convert to expected version");
  const decoded = traced("decode", () => decode(type, settings, request));
  const done = (object: V): V => {
    request.step("Conversion done");
    const { audit } = request;
    if (audit !== undefined) {
      audit.identify(object.metadata);
      audit.recordRequest(() => type.print(object));
    }
    return object;
  };
  return decoded instanceof Promise ? decoded.then(done) : done(decoded);
}

function decode<V>(type: BodyType<V>, settings: BodySettings, request: ApiRequest): V | Promise<V> {
  const reports = new FieldReports(fieldValidationOf(request.query, settings), type.statesType);
  const expectedKind = type.typeMeta.kind;
  const parsed = settings.bodyParser.parse(request, { ...reports.bodyOptions, expectedKind });
  const decodeParsed = (body: ParsedBody | undefined): V => {
    if (body === undefined) throw new Error("the request body is empty");
    if (body.kind === "protobuf") {
      checkType(type, body.typeMeta, { settings });
      const { raw } = body;
      return orBadRequest(type, () => type.fromProto(raw));
    }
    // Kubernetes also decodes `null` into an empty object, if the body need not state a type.
    const value = ofType(type, body.value ?? {}, {
      settings,
      bytes: request.body.bytes,
      reportsFields: reports.active,
    });
    const object = orBadRequest(type, () => type.fromJson(value, fromJsonOptions(reports, body.numberTexts)));
    reports.finish(request, (errors) => misfit(type, `strict decoding error: ${errors}`));
    return object;
  };
  return parsed instanceof Promise ? parsed.then(decodeParsed) : decodeParsed(parsed);
}

function fromJsonOptions(reports: FieldReports, numberTexts: NumberTexts | undefined): FromJsonOptions {
  return {
    adopts: true,
    ...(numberTexts !== undefined && { numberTexts }),
    ...(reports.active && { onUnknownField: reports.unknown }),
  };
}

interface BodyOrigin {
  readonly settings: BodySettings;
  /** The original body, which errors quote; undefined for protobuf. */
  readonly bytes?: Uint8Array;
  /** Whether unknown and duplicate fields are reported, for which Kubernetes has a decoder of its own. */
  readonly reportsFields?: boolean;
}

/** The value, which must be an object of the type. Throws 400. */
function ofType<V>(type: BodyType<V>, value: JsonValue, origin: BodyOrigin): JsonObject {
  const unrecognized = (why: string): StatusError => unrecognizedType(type, why, origin);
  if (!isJsonObject(value)) {
    throw unrecognized(notAnObject(value));
  }
  const typeText = (field: "apiVersion" | "kind"): string => {
    const text = value[field] ?? "";
    if (typeof text !== "string")
      throw unrecognized(notDecodable(text, `Go struct field .${field} of type string`));
    return text;
  };
  const sent = { apiVersion: typeText("apiVersion"), kind: typeText("kind") };
  if (type.statesType === true) checkStatedType(type, sent, value, origin);
  else checkType(type, sent, origin);
  return value;
}

/** Throws 400, or 422 for another kind. */
function checkStatedType<V>(type: BodyType<V>, sent: TypeMeta, value: JsonObject, origin: BodyOrigin): void {
  const { typeMeta: expected } = type;
  if (parseApiVersion(sent.apiVersion) === undefined) {
    throw unrecognizedType(type, unexpectedVersion(sent.apiVersion), origin);
  }
  const missing = missingType(sent, () => sentText(value, origin));
  const isRefused = sent.kind === "" || !isAtLeast(origin.settings.level, "1.24");
  if (isRefused && missing !== undefined) {
    throw origin.reportsFields === true ? unrecognizedType(type, missing, origin) : misfit(type, missing);
  }
  if (sent.apiVersion !== expected.apiVersion) throw mismatchedVersion(sent, expected);
  checkStatedKind(type, sent, value);
}

function missingType({ apiVersion, kind }: TypeMeta, text: () => string): string | undefined {
  const absent = kind === "" ? "Kind" : apiVersion === "" ? "apiVersion" : undefined;
  return absent === undefined ? undefined : `Object '${absent}' is missing in '${shortened(text())}'`;
}

/** The original body if it is text: printing a large value takes long. Where fields are not reported, Kubernetes shows YAML as JSON. */
function sentText(value: JsonObject, { bytes, reportsFields = false }: BodyOrigin): string {
  const isShown = reportsFields ? isText(bytes) : bytes?.[0] === 0x7b || isNull(bytes);
  return isShown ? new TextDecoder().decode(bytes) : printJson(value);
}

/** A CBOR document begins with a byte beyond ASCII. */
function isText(bytes: Uint8Array | undefined): boolean {
  return bytes !== undefined && (bytes[0] ?? 0) < 0x80;
}

function isNull(bytes: Uint8Array | undefined): boolean {
  return bytes?.length === 4 && bytes[0] === 0x6e;
}

/** For custom resources, a wrong type is a validation error. Throws 422. */
function checkStatedKind<V>(type: BodyType<V>, sent: TypeMeta, value: JsonObject): void {
  const { typeMeta: expected, ignoresKind = false } = type;
  const field = sent.apiVersion === expected.apiVersion ? "kind" : "apiVersion";
  if (sent[field] === expected[field] || (field === "kind" && ignoresKind)) return;
  const group = parseApiVersion(sent.apiVersion)?.group ?? "";
  const { metadata } = value;
  const name = isJsonObject(metadata) && typeof metadata.name === "string" ? metadata.name : "";
  throw invalidObject({ group, kind: sent.kind }, name, [
    invalid(FieldPath.of(field), sent[field], `must be ${expected[field]}`),
  ]);
}

function unexpectedVersion(apiVersion: string): string {
  return `unexpected GroupVersion string: ${apiVersion}`;
}

function mismatchedVersion(sent: TypeMeta, expected: TypeMeta): StatusError {
  return badRequest(
    `the API version in the data (${sent.apiVersion}) does not match the expected API version (${expected.apiVersion})`,
  );
}

function unrecognizedType<V>({ typeMeta }: BodyType<V>, why: string, { bytes }: BodyOrigin): StatusError {
  return bytes === undefined
    ? badRequest(why)
    : unrecognizedBody({ expectedKind: typeMeta.kind, why, bytes });
}

/** Why `value`, the result of a patch, does not fit the type; undefined if it fits. Throws 422 for a custom resource of another type. */
export function typeProblem<V>(type: BodyType<V>, value: JsonValue): string | undefined {
  const { typeMeta: expected, otherApiVersions = [], statesType = false } = type;
  if (!isJsonObject(value)) return notAnObject(value);
  const { apiVersion = "", kind = "" } = value;
  for (const [field, text] of Object.entries({ apiVersion, kind })) {
    if (text !== null && typeof text !== "string")
      return notDecodable(text, `Go struct field .${field} of type string`);
  }
  if (statesType) {
    const sent = { apiVersion: String(apiVersion ?? ""), kind: String(kind ?? "") };
    const missing = missingType(sent, () => sortedJsonText(value));
    if (missing !== undefined) return missing;
    if (parseApiVersion(sent.apiVersion) === undefined) return unexpectedVersion(sent.apiVersion);
    checkStatedKind(type, sent, value);
    return undefined;
  }
  const version = apiVersion === null || apiVersion === "" ? expected.apiVersion : String(apiVersion);
  const actualKind = kind === null || kind === "" ? expected.kind : String(kind);
  const isKnown = version === expected.apiVersion || otherApiVersions.includes(version);
  if (isKnown && actualKind === expected.kind) return undefined;
  return `no kind ${JSON.stringify(actualKind)} is registered for version ${JSON.stringify(version)}`;
}

function notAnObject(value: JsonValue): string {
  return notDecodable(
    value,
    `Go value of type struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }`,
  );
}

function notDecodable(value: JsonValue, target: string): string {
  return `couldn't get version/kind; json parse error: json: cannot unmarshal ${jsonTypeName(value)} into ${target}`;
}

/** A body may omit its type; when it names one, it must be the endpoint's. */
function checkType<V>(type: BodyType<V>, sent: TypeMeta, origin: BodyOrigin): void {
  const { typeMeta: expected, otherApiVersions = [] } = type;
  const apiVersion = sent.apiVersion || expected.apiVersion;
  const kind = sent.kind || expected.kind;
  const isVersion = apiVersion === expected.apiVersion || otherApiVersions.includes(apiVersion);
  if (isVersion && kind === expected.kind) return;
  const given = parseApiVersion(apiVersion);
  if (given === undefined) {
    throw unrecognizedType(type, unexpectedVersion(apiVersion), origin);
  }
  const isKnown = origin.settings.isKnownType({ apiVersion, kind });
  const group = parseApiVersion(expected.apiVersion)?.group ?? "";
  if (isKnown && kind === expected.kind && given.group === group) {
    throw mismatchedVersion({ apiVersion, kind }, expected);
  }
  // As in Kubernetes, the error names the types that it cannot convert between.
  const why = isKnown
    ? `converting (${given.version}.${kind}) to (${group.split(".")[0] || "core"}.${expected.kind}): unknown conversion`
    : `no kind ${JSON.stringify(kind)} is registered for version ${JSON.stringify(apiVersion)}`;
  throw misfit({ typeMeta: expected }, why, { sent: { apiVersion, kind } });
}

function orBadRequest<R>(type: Pick<BodyType<unknown>, "typeMeta">, decode: () => R): R {
  try {
    return decode();
  } catch (error) {
    throw orMisfit(type, error);
  }
}

/** 400 for an error in decoding an object of the type; other errors unchanged. */
function orMisfit(type: Pick<BodyType<unknown>, "typeMeta">, error: unknown): unknown {
  return error instanceof DecodeError ? misfit(type, error.message, { cause: error }) : error;
}

/** `sent` is the type that the body states; default the expected one. */
function misfit(
  { typeMeta: expected }: Pick<BodyType<unknown>, "typeMeta">,
  why: string,
  { sent = expected, cause }: { readonly sent?: TypeMeta; readonly cause?: unknown } = {},
): StatusError {
  const version = parseApiVersion(sent.apiVersion)?.version ?? "";
  const message = `${sent.kind} in version ${JSON.stringify(version)} cannot be handled as a ${expected.kind}: ${why}`;
  return badRequest(message, cause);
}
