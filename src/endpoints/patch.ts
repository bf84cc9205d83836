import { JsonSyntaxError, parseJson } from "../apimachinery/json-parse.js";
import { isJsonObject, type JsonObject, type JsonValue } from "../apimachinery/json-value.js";
import type { ApiObject } from "../apimachinery/meta.js";
import { applyJsonPatch, parseJsonPatch } from "../apimachinery/patch/json-patch.js";
import { applyMergePatch } from "../apimachinery/patch/merge-patch.js";
import { PatchError, statusOfPatchError } from "../apimachinery/patch/patch-error.js";
import { applyStrategicMergePatch } from "../apimachinery/patch/strategic-merge-patch.js";
import { badRequest, unsupportedMediaType } from "../apimachinery/status.js";
import type { Strategy } from "../apis/definition/strategy.js";
import type { VersionedView } from "../registry/generic/versioned-view.js";
import type { ApiRequest } from "./api-request.js";
import type { ObjectResult } from "./api-result.js";
import { applyConfiguration } from "./apply.js";
import { decodeValue } from "./decode-object.js";
import { FieldReports, fieldValidationOf } from "./field-validation.js";
import type { ResourceEndpoint } from "./resource-endpoint.js";
import { storeUpdate } from "./update.js";
import { writeOptionsOf } from "./write-options.js";

export const patchMediaTypes = {
  json: "application/json-patch+json",
  merge: "application/merge-patch+json",
  strategic: "application/strategic-merge-patch+json",
  apply: "application/apply-patch+yaml",
} as const;

/** PATCH of an object, or of a part of it when `part` gives the part's strategy. Throws 400, 409, 413, 415 and 422. */
export async function patchObject<T extends ApiObject>(
  endpoint: ResourceEndpoint<T>,
  request: ApiRequest,
  part?: Strategy<T>,
): Promise<ObjectResult<T>> {
  const { view, settings } = endpoint;
  const mediaType = patchTypeOf(request);
  const options = writeOptionsOf(request, "PatchOptions", settings, mediaType === patchMediaTypes.apply);
  if (mediaType === patchMediaTypes.apply) return await applyConfiguration(endpoint, request, options, part);

  const patch = await readPatch(mediaType, request, view);
  return await storeUpdate(endpoint, request, {
    dryRun: options.dryRun,
    fieldManager: options.fieldManager,
    part,
    async transform(current) {
      if (current === undefined) throw new Error("a patch does not create");
      const patched = orStatus(() => patch(jsonOf(view, current.copy())));
      const reports = new FieldReports(fieldValidationOf(request.query, settings));
      const object = view.toHub(decodeValue(view, patched, reports));
      reports.finish(request, { kind: view.typeMeta.kind, version: view.version.version });
      return object;
    },
  });
}

type Patch = (document: JsonObject) => JsonValue;

/** Reads the patch once; the result is applied to the newest object on every attempt. */
export async function readPatch<T extends ApiObject>(
  mediaType: string,
  request: ApiRequest,
  view: Pick<VersionedView<T>, "version">,
): Promise<Patch> {
  const document = parsePatch(await request.readBytes());
  if (mediaType === patchMediaTypes.json) {
    const operations = orStatus(() => parseJsonPatch(document));
    return (target) => applyJsonPatch(target, operations);
  }
  if (mediaType === patchMediaTypes.merge) return (target) => applyMergePatch(target, document);
  return (target) => applyStrategicMergePatch(target, document, view.version.codec.schema);
}

/** The type of the patch, without parameters. Throws 415. */
export function patchTypeOf(request: ApiRequest): string {
  const mediaType = (request.contentType ?? "").split(";", 1)[0]?.trim().toLowerCase() ?? "";
  const known: readonly string[] = Object.values(patchMediaTypes);
  if (!known.includes(mediaType)) throw unsupportedMediaType(known);
  return mediaType;
}

/** The object as its version's JSON, kind and apiVersion included: what a patch is applied to. */
export function jsonOf<T extends ApiObject>(view: VersionedView<T>, hub: T): JsonObject {
  const value = parseJson(view.version.codec.toJsonWithType(view.fromHub(hub), view.typeMeta));
  if (!isJsonObject(value)) throw new Error("an encoded object is a JSON object");
  return value;
}

function parsePatch(bytes: Uint8Array): JsonValue {
  try {
    return parseJson(bytes);
  } catch (error) {
    if (error instanceof JsonSyntaxError) throw badRequest(`error decoding patch: ${error.message}`, error);
    throw error;
  }
}

export function orStatus<R>(apply: () => R): R {
  try {
    return apply();
  } catch (error) {
    throw error instanceof PatchError ? statusOfPatchError(error) : error;
  }
}
