import { isDeepEqual } from "../../apimachinery/collections/deep-equal.js";
import { badRequest, conflict } from "../../apimachinery/errors/status.js";
import { printJson } from "../../apimachinery/json/json-print.js";
import { isJsonObject, type JsonObject, type JsonValue } from "../../apimachinery/json/json-value.js";
import { unmarshalProblem } from "../../apimachinery/json/unmarshal-problem.js";
import { type ApiLevel, isAtLeast } from "../../apimachinery/levels/api-level.js";
import {
  configurationName,
  configurationType,
  incorrectVersion,
} from "../../apimachinery/managed-fields/applied-configuration.js";
import type { Applied } from "../../apimachinery/managed-fields/field-applier.js";
import type { ApiObject } from "../../apimachinery/objects/meta.js";
import { mediaTypeOf } from "../../apimachinery/requests/media-range.js";
import { DecodeError, type TypeMeta } from "../../apimachinery/schema/codec.js";
import type { Strategy } from "../../apis/definition/strategy.js";
import { parseMediaTypeName } from "../../naming/media-types.js";
import type { ApiRequest } from "../../request/api-request.js";
import type { BodyType } from "../bodies/decode-object.js";
import { FieldReports, fieldValidationOf } from "../bodies/field-validation.js";
import type { ObjectResult } from "../resource/api-result.js";
import type { EndpointSettings, ResourceEndpoint } from "../resource/resource-endpoint.js";
import type { WriteOptions } from "../resource/write-options.js";
import { settleName } from "./check-name.js";
import { storeUpdate } from "./update.js";

/**
 * Server-side apply: PATCH with `application/apply-patch+yaml`. The manager comes to own the fields of its configuration; fields it no
 * longer names are removed unless another manager owns them. Creates a missing object. Throws 400, and 409 with the fields that others
 * own.
 */
export async function applyConfiguration<T extends ApiObject>(
  endpoint: ResourceEndpoint<T>,
  request: ApiRequest,
  options: WriteOptions,
  part: Strategy<T> | undefined,
): Promise<ObjectResult<T>> {
  const { view, settings } = endpoint;
  const reports = new FieldReports(fieldValidationOf(request.query, settings));
  const configuration = await readConfiguration(view.typeMeta, settings, request, reports);
  return await storeUpdate(endpoint, request, {
    options,
    part,
    createIfMissing: part === undefined,
    tracksFields: false,
    async transform(current) {
      if (current === undefined) checkNoUid(endpoint, request, configuration);
      let applied: Applied;
      try {
        applied = await settings.fieldTracking.apply(view, current?.old, configuration, {
          manager: options.fieldManager,
          now: request.receivedAt,
          subresource: request.info.subresource,
          resetFields: (part ?? view.definition.strategy).resetFields,
          force: options.force,
          scope: request,
        });
      } catch (error) {
        // Tracking may read the object in another manager's version, which it may not fit.
        throw orUnfit(configuration, error);
      }
      reports.finishConfiguration(request);
      const sent = decodeApplied(view, applied.object, configuration);
      settleName(sent.metadata, request.info, endpoint.registry.definition);
      const converting = view.hubOfSent(sent, request, current && { current, part });
      const object = converting instanceof Promise ? await converting : converting;
      object.metadata.managedFields = [...applied.managedFields];
      // An applied empty map disappears in decoding, and must not cause a write each time.
      if (current !== undefined && isDeepEqual(untimed(object), untimed(current.old))) {
        object.metadata.managedFields = current.old.metadata.managedFields;
      }
      return object;
    },
  });
}

function untimed(object: ApiObject): unknown {
  // Large field sets exist only as text.
  const managedFields = object.metadata.managedFields?.map((entry) => ({
    ...entry,
    time: undefined,
    fieldsV1: entry.fieldsV1 && printJson(entry.fieldsV1),
  }));
  return { ...object, metadata: { ...object.metadata, managedFields } };
}

/** The configuration in the body of an apply, YAML or CBOR. Records it for the audit. Rejects with 400. */
export async function readConfiguration(
  typeMeta: TypeMeta,
  { bodyParser, level }: Pick<EndpointSettings, "bodyParser" | "level">,
  request: ApiRequest,
  reports: FieldReports,
): Promise<JsonObject> {
  const isCbor = parseMediaTypeName(mediaTypeOf(request.body.contentType ?? "")) === "applyPatchCbor";
  const sent = await (isCbor
    ? bodyParser.parseCbor(request)
    : bodyParser.parseYaml(request, reports.bodyOptions));
  const configuration = checkConfiguration(typeMeta, sent, level);
  request.audit?.recordRequest(() => printJson(configuration));
  return configuration;
}

/** Throws 400 for a configuration of another type. */
function checkConfiguration({ kind, apiVersion }: TypeMeta, value: JsonValue, level: ApiLevel): JsonObject {
  const sent = value ?? {};
  if (!isJsonObject(sent)) {
    const why = unmarshalProblem(sent, "map[string]interface {}");
    throw badRequest(`error decoding YAML: error unmarshaling JSON: while decoding JSON: ${why}`);
  }
  if (sent.apiVersion === apiVersion && sent.kind === kind) return sent;
  const type = configurationType(sent);
  if (isAtLeast(level, "1.28")) throw badRequest(`invalid object type: ${type}`);
  if (sent.apiVersion !== apiVersion) throw incorrectVersion(sent, apiVersion);
  throw badRequest(
    `failed to create typed patch object (${configurationName(sent)}): no corresponding type for ${type}`,
  );
}

/** Decodes the object that results from an apply. Throws 400 if it does not fit; Kubernetes answers 500. */
export function decodeApplied<V>(view: BodyType<V>, object: JsonObject, configuration: JsonObject): V {
  try {
    return view.fromJson({ ...object, ...view.typeMeta }, { keepsNulls: true });
  } catch (error) {
    throw orUnfit(configuration, error);
  }
}

function orUnfit(configuration: JsonObject, error: unknown): unknown {
  if (!(error instanceof DecodeError)) return error;
  const type = configurationType(configuration);
  const why = `unable to convert unstructured object to ${type}: ${error.ofConversion}`;
  return badRequest(
    `failed to convert new object (${configurationName(configuration)}) to proper version: ${why}`,
    error,
  );
}

function checkNoUid<T extends ApiObject>(
  endpoint: ResourceEndpoint<T>,
  request: ApiRequest,
  configuration: JsonObject,
): void {
  const uid = isJsonObject(configuration.metadata) ? configuration.metadata.uid : undefined;
  if (typeof uid !== "string" || uid === "") return;
  throw conflict(
    endpoint.view.definition,
    request.info.name,
    `uid mismatch: the provided object specified uid ${uid}, and no existing object was found`,
  );
}
