import { type FieldError, findErrors } from "../../apimachinery/errors/field-error.js";
import { badRequest, invalidObject } from "../../apimachinery/errors/status.js";
import { isJsonObject, type JsonValue } from "../../apimachinery/json/json-value.js";
import { minorOf } from "../../apimachinery/levels/api-level.js";
import { fieldManagerName } from "../../apimachinery/managed-fields/field-manager-name.js";
import { DecodeError, type TypeMeta } from "../../apimachinery/schema/codec.js";
import {
  validateDeleteOptions,
  validatePatchOptions,
  validateWriteOptions,
} from "../../apimachinery/validation/request-options.js";
import type { DeleteOptions as DeleteOptionsV1 } from "../../apis/gen/meta-v1.js";
import type { DeleteOptions } from "../../registry/generic/delete-options.js";
import type { ApiRequest } from "../../request/api-request.js";
import type { QueryParameters } from "../../request/query-parameters.js";
import { WriteScope } from "../../request/write-scope.js";
import { queryFlagIfGiven, queryInteger } from "./query-options.js";
import type { EndpointSettings } from "./resource-endpoint.js";

/** CreateOptions, UpdateOptions and PatchOptions from the query. */
export interface WriteOptions {
  readonly dryRun: boolean;
  /** Recorded as the writer of fields; default from the user agent. */
  readonly fieldManager: string;
  readonly force: boolean;
  /** As the client sent them; options that were not sent are absent. */
  readonly sent: SentOptions;
}

export interface SentOptions {
  readonly dryRun?: readonly string[];
  readonly fieldManager?: string;
  readonly fieldValidation?: string;
}

/** Throws 422 naming the option. As in Kubernetes, a create is refused with 415 before its options are read. */
export function writeOptionsOf(
  request: ApiRequest,
  kind: "CreateOptions" | "UpdateOptions" | "PatchOptions",
  settings: EndpointSettings,
  isApply = false,
): WriteOptions {
  if (kind === "CreateOptions") settings.bodyParser.checkMediaType(request);
  const { query } = request;
  const fieldManager = query.get("fieldManager") ?? "";
  const options = {
    fieldManager,
    dryRun: dryRunValues(request),
    fieldValidation: query.get("fieldValidation") ?? "",
    force: queryFlagIfGiven(query, "force"),
  };
  const validate = (): FieldError[] =>
    kind === "PatchOptions" ? validatePatchOptions(options, isApply) : validateWriteOptions(options);
  refuseInvalid(validate, kind, settings);
  const { dryRun, fieldValidation } = options;
  return {
    dryRun: dryRun.length > 0,
    fieldManager: fieldManagerName(fieldManager, request.userAgent),
    force: options.force ?? false,
    sent: {
      ...(dryRun.length > 0 && { dryRun }),
      ...(fieldManager !== "" && { fieldManager }),
      ...(fieldValidation !== "" && { fieldValidation }),
    },
  };
}

/**
 * A bare `dryRun` means `All`. An empty value after an equals sign stays empty, which is no supported value. Kubernetes refuses both;
 * nothing is stored for either.
 */
function dryRunValues({ query, requestUri }: ApiRequest): string[] {
  const values = query.getAll("dryRun");
  const empty = values.filter((value) => value === "").length;
  if (empty === 0) return values;
  const text = requestUri.slice(requestUri.indexOf("?") + 1);
  const bare = text.match(/(?:^|&)dryRun(?=&|$)/g)?.length ?? 0;
  return bare === empty ? values.map((value) => value || "All") : values;
}

function refuseInvalid(
  validate: () => readonly FieldError[],
  kind: string,
  { metaGroup, level }: EndpointSettings,
): void {
  const { errors, isCut } = findErrors(validate, minorOf(level));
  if (errors.length > 0) throw invalidObject({ group: metaGroup, kind }, "", errors, isCut);
}

/** The write scope of a request; the namespace defaults to that of the path. */
export function writeOf(
  request: ApiRequest,
  dryRun: boolean,
  namespace: string = request.info.namespace,
): WriteScope {
  const { apiVersion: version, subresource } = request.info;
  return new WriteScope(request, { namespace, dryRun, version, subresource });
}

/**
 * DeleteOptions from the body, or from the query when there is no body. Throws 400 and 422. A dry run in the query counts beside a
 * body too: Kubernetes ignores it, and deletes.
 */
export async function deleteOptionsOf(
  request: ApiRequest,
  settings: EndpointSettings,
): Promise<{ options: DeleteOptions; dryRun: boolean }> {
  const sent = await bodyOptions(request, settings);
  const given =
    sent === undefined
      ? queryOptions(request)
      : { ...sent, dryRun: [...(sent.dryRun ?? []), ...dryRunValues(request)] };
  const options = checkedDeleteOptions(given, settings);
  return { options, dryRun: (options.dryRun?.length ?? 0) > 0 };
}

/** DeleteOptions in part of a body. Throws 422. */
export function deleteOptionsIn(
  sent: DeleteOptionsV1 | undefined,
  settings: EndpointSettings,
): DeleteOptions {
  return checkedDeleteOptions(fromVersioned(sent ?? {}), settings);
}

function checkedDeleteOptions(given: DeleteOptions, settings: EndpointSettings): DeleteOptions {
  const { dryRun = [] } = given;
  const options = {
    ...given,
    dryRun: dryRun.length === 0 ? undefined : dryRun,
    ...(settings.unsafeDeletion === undefined && {
      ignoreStoreReadErrorWithClusterBreakingPotential: undefined,
    }),
  };
  refuseInvalid(() => validateDeleteOptions(options), "DeleteOptions", settings);
  return options;
}

async function bodyOptions(
  request: ApiRequest,
  settings: EndpointSettings,
): Promise<DeleteOptions | undefined> {
  const body = await settings.bodyParser.parse(request);
  if (body === undefined) return undefined;
  const codec = settings.deleteOptionsCodec;
  const { kind, apiVersion } = body.kind === "json" ? typeOf(body.value) : body.typeMeta;
  if (kind !== "" && kind !== "DeleteOptions") {
    throw badRequest(`the body of a delete must be DeleteOptions, not ${kind}`);
  }
  try {
    const decoded =
      body.kind === "json"
        ? codec.fromJson(body.value, { numberTexts: body.numberTexts })
        : codec.fromProto(body.raw);
    const type = { kind: "DeleteOptions", apiVersion: apiVersion || `${settings.metaGroup}/v1` };
    request.audit?.recordRequest(() => codec.toJsonWithType(decoded, type));
    return fromVersioned(decoded);
  } catch (error) {
    if (error instanceof DecodeError) throw badRequest(error.message, error);
    throw error;
  }
}

/** Empty when the body does not state it. */
function typeOf(value: JsonValue): TypeMeta {
  const { kind, apiVersion } = isJsonObject(value) ? value : {};
  return {
    kind: typeof kind === "string" ? kind : "",
    apiVersion: typeof apiVersion === "string" ? apiVersion : "",
  };
}

function fromVersioned(options: DeleteOptionsV1): DeleteOptions {
  return {
    gracePeriodSeconds:
      options.gracePeriodSeconds === undefined ? undefined : Number(options.gracePeriodSeconds),
    preconditions: options.preconditions,
    orphanDependents: options.orphanDependents,
    propagationPolicy: options.propagationPolicy,
    dryRun: options.dryRun,
    ignoreStoreReadErrorWithClusterBreakingPotential:
      options.ignoreStoreReadErrorWithClusterBreakingPotential,
  };
}

function queryOptions(request: ApiRequest): DeleteOptions {
  const { query } = request;
  return {
    gracePeriodSeconds: queryInteger(query, "gracePeriodSeconds"),
    orphanDependents: queryFlagIfGiven(query, "orphanDependents"),
    propagationPolicy: query.get("propagationPolicy") ?? undefined,
    preconditions: queryPreconditions(query),
    dryRun: dryRunValues(request),
    ignoreStoreReadErrorWithClusterBreakingPotential: queryFlagIfGiven(
      query,
      "ignoreStoreReadErrorWithClusterBreakingPotential",
    ),
  };
}

/** Source: Kubernetes' conversion of URL values to delete options. */
function queryPreconditions(query: QueryParameters): DeleteOptions["preconditions"] {
  const uid = query.get("uid") || undefined;
  const resourceVersion = query.get("resourceVersion") || undefined;
  return uid === undefined && resourceVersion === undefined ? undefined : { uid, resourceVersion };
}
