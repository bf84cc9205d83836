import { isJsonObject, type JsonObject, type JsonValue } from "../apimachinery/json-value.js";
import { type ApiObject, apiVersionOf, parseApiVersion } from "../apimachinery/meta.js";
import { DecodeError, type FromJsonOptions } from "../apimachinery/schema/codec.js";
import { badRequest, type StatusError } from "../apimachinery/status.js";
import type { VersionedView } from "../registry/generic/versioned-view.js";
import type { ApiRequest } from "./api-request.js";
import { FieldReports, fieldValidationOf } from "./field-validation.js";
import type { EndpointSettings } from "./resource-endpoint.js";
import { unrecognizedBody } from "./unrecognized-body.js";

/**
 * The object in the body of a create or update, in the view's version with its defaults set. Throws 400 for a body that is
 * missing, of another kind or version, or does not fit the type.
 */
export async function decodeBody<T extends ApiObject>(
  view: VersionedView<T>,
  settings: EndpointSettings,
  request: ApiRequest,
): Promise<ApiObject> {
  const reports = new FieldReports(fieldValidationOf(request.query, settings));
  const expectedKind = view.typeMeta.kind;
  const body = await request.readBody({ ...reports.bodyOptions, expectedKind });
  if (body === undefined) throw new Error("a body that must be there is none");
  if (body.kind === "protobuf") {
    checkType(view, body.typeMeta.apiVersion, body.typeMeta.kind);
    return orBadRequest(view, () => view.fromProto(body.raw));
  }
  // The original decodes `null` into an empty object too.
  const value = ofType(view, body.value ?? {}, await request.readBytes());
  const object = orBadRequest(view, () => view.fromJson(value, fromJsonOptions(reports)));
  await reports.finish(request, (errors) => misfit(view, `strict decoding error: ${errors}`));
  return object;
}

/** As `decodeBody`, for a value that is at hand. */
export function decodeValue<T extends ApiObject>(view: VersionedView<T>, value: JsonValue): ApiObject {
  return orBadRequest(view, () => view.fromJson(ofType(view, value)));
}

function fromJsonOptions(reports: FieldReports): FromJsonOptions | undefined {
  return reports.active ? { onUnknownField: reports.unknown } : undefined;
}

/** The value, which must be an object of the view's type. `bytes` is the body that it was read from. Throws 400. */
export function ofType<T extends ApiObject>(
  view: VersionedView<T>,
  value: JsonValue,
  bytes?: Uint8Array,
): JsonObject {
  const unrecognized = (what: JsonValue, target: string): StatusError => {
    const why = `couldn't get version/kind; json parse error: json: cannot unmarshal ${jsonTypeName(what)} into ${target}`;
    if (bytes === undefined) return badRequest(why);
    return unrecognizedBody({ expectedKind: view.typeMeta.kind, why, bytes });
  };
  if (!isJsonObject(value)) {
    throw unrecognized(
      value,
      `Go value of type struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }`,
    );
  }
  const typeText = (field: "apiVersion" | "kind"): string => {
    const text = value[field] ?? "";
    if (typeof text !== "string") throw unrecognized(text, `Go struct field .${field} of type string`);
    return text;
  };
  checkType(view, typeText("apiVersion"), typeText("kind"));
  return value;
}

/** A body may leave its type out; when it names one, it must be the endpoint's. */
function checkType<T extends ApiObject>(view: VersionedView<T>, apiVersion: string, kind: string): void {
  const expected = view.typeMeta;
  if (apiVersion !== "" && apiVersion !== expected.apiVersion) {
    if (parseApiVersion(apiVersion) === undefined) {
      throw badRequest(`unexpected GroupVersion string: ${apiVersion}`);
    }
    throw badRequest(
      `the API version in the data (${apiVersion}) does not match the expected API version (${expected.apiVersion})`,
    );
  }
  if (kind !== "" && kind !== expected.kind) {
    throw badRequest(`the kind in the data (${kind}) does not match the expected kind (${expected.kind})`);
  }
}

function orBadRequest<T extends ApiObject>(view: VersionedView<T>, decode: () => ApiObject): ApiObject {
  try {
    return decode();
  } catch (error) {
    throw error instanceof DecodeError ? misfit(view, error.message, error) : error;
  }
}

function misfit<T extends ApiObject>(view: VersionedView<T>, why: string, cause?: unknown): StatusError {
  const { kind } = view.typeMeta;
  const { version } = view.version;
  const message = `${kind} in version ${JSON.stringify(version)} cannot be handled as a ${kind}: ${why}`;
  return badRequest(message, cause);
}

export function jsonTypeName(value: JsonValue): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  switch (typeof value) {
    case "boolean":
      return "bool";
    case "number":
    case "bigint":
      return "number";
    case "string":
      return "string";
    default:
      return "object";
  }
}

/** For messages about the type a client should have sent. */
export function describeType<T extends ApiObject>(view: VersionedView<T>): string {
  const { definition, version } = view;
  return `${apiVersionOf({ group: definition.group, version: version.version })}, Kind=${definition.kind}`;
}
