import { FieldPath } from "../../apimachinery/errors/field-error.js";
import {
  internal,
  invalidObject,
  isStatus,
  notFound,
  otherUid,
  outdatedVersion,
} from "../../apimachinery/errors/status.js";
import { parseJson } from "../../apimachinery/json/json-parse.js";
import { isJsonObject, type JsonObject } from "../../apimachinery/json/json-value.js";
import { isAtLeast, oldestLevel } from "../../apimachinery/levels/api-level.js";
import {
  managedFieldsAfterScale,
  type ReplicasPaths,
  scaleManagedFields,
} from "../../apimachinery/managed-fields/scale-managers.js";
import { type ApiObject, apiVersionOf } from "../../apimachinery/objects/meta.js";
import { namesNoVersion } from "../../apimachinery/objects/named-version.js";
import { validateObjectMeta } from "../../apimachinery/validation/object-meta.js";
import { nameIsDnsSubdomain } from "../../apimachinery/validation/object-name.js";
import { validateNonnegative } from "../../apimachinery/validation/values.js";
import { convertToHub, type ScaleView } from "../../apis/definition/resource-definition.js";
import type { Scale } from "../../apis/gen/autoscaling-v1.js";
import { refuseMalformedVersion } from "../../registry/generic/before-update.js";
import type { CurrentObject } from "../../registry/generic/current-object.js";
import type { TrackedWrite } from "../../registry/generic/field-tracking.js";
import type { VersionedView } from "../../registry/generic/versioned-view.js";
import type { ApiRequest } from "../../request/api-request.js";
import type { ReadVersion, StoredObject } from "../../storage/object-store.js";
import { decodeBody } from "../bodies/decode-object.js";
import { FieldReports, fieldValidationOf } from "../bodies/field-validation.js";
import { versionToGet } from "../reads/read-version.js";
import type { ValueResult } from "../resource/api-result.js";
import { refuseExport } from "../resource/query-options.js";
import type { ResourceEndpoint } from "../resource/resource-endpoint.js";
import { servedFormsOf, viewForms } from "../resource/served-forms.js";
import { type WriteOptions, writeOptionsOf } from "../resource/write-options.js";
import { decodeApplied, readConfiguration } from "./apply.js";
import { checkName } from "./check-name.js";
import { isApply, patched, patchTypeOf, readPatch } from "./patch.js";
import type { Admitted } from "./request-write.js";
import { storeUpdate } from "./update.js";

export const scaleKind = { group: "autoscaling", version: "v1", kind: "Scale" };

/** GET of `scale`: the workload's size as autoscalers see it. */
export async function getScale<T extends ApiObject>(
  endpoint: ResourceEndpoint<T>,
  request: ApiRequest,
  scale: ScaleView<T>,
): Promise<ValueResult<Scale>> {
  const { namespace, name } = request.info;
  refuseExport(request.query);
  const at = versionToGet(request);
  const object = (await readScaled(endpoint, namespace, name, at)).decode();
  const problem = scale.problem?.(object);
  if (problem !== undefined) throw internal(problem);
  return answer(endpoint, scaleOf(object, scale));
}

/**
 * If the object of a built-in kind is missing, the error before 1.33 says that its scale is missing, in a group that Kubernetes makes up
 * for core. Stateful sets never did that.
 */
async function readScaled<T extends ApiObject>(
  { registry, view }: ResourceEndpoint<T>,
  namespace: string,
  name: string,
  at: ReadVersion,
): Promise<StoredObject<T>> {
  try {
    return await registry.get(namespace, name, at);
  } catch (error) {
    if (view.statesType || !isStatus(error, "NotFound")) throw error;
    const { group, resource, level = oldestLevel } = registry.definition;
    if (isAtLeast(level, "1.33") || resource === "statefulsets") throw error;
    throw notFound({ group: group || scaleKind.group, resource: `${resource}/scale` }, name);
  }
}

export async function updateScale<T extends ApiObject>(
  endpoint: ResourceEndpoint<T>,
  request: ApiRequest,
  scale: ScaleView<T>,
): Promise<ValueResult<Scale>> {
  const { settings } = endpoint;
  const { scaleCodec: codec, scaleView: view } = settings;
  const sent = convertToHub(view.version, await decodeBody(view, settings, request));
  const options = writeOptionsOf(request, "UpdateOptions", settings);
  checkName(sent.metadata, request.info, endpoint.registry.definition);
  const change = (): ChangedScale => ({ wanted: codec.clone(sent), isTracked: false });
  try {
    return await storeScale(endpoint, request, scale, options, change);
  } catch (error) {
    const { uid = "" } = sent.metadata;
    if (uid === "" || isAtLeast(settings.level, "1.34") || !isStatus(error, "NotFound")) throw error;
    throw otherUid(endpoint.registry.definition, request.info.name, { wanted: uid, actual: "" });
  }
}

export async function patchScale<T extends ApiObject>(
  endpoint: ResourceEndpoint<T>,
  request: ApiRequest,
  scale: ScaleView<T>,
): Promise<ValueResult<Scale>> {
  const { settings } = endpoint;
  const mediaType = patchTypeOf(endpoint, request.body.contentType);
  if (isApply(mediaType)) return await applyScale(endpoint, request, scale);
  const { scaleView: view } = settings;
  const options = writeOptionsOf(request, "PatchOptions", settings);
  const validation = fieldValidationOf(request.query, settings);
  const patch = readPatch(mediaType, request, {
    view,
    level: settings.level,
    isStrict: validation !== "Ignore",
  });
  return await storeScale(endpoint, request, scale, options, (current) => ({
    wanted: convertToHub(view.version, patched(patch, jsonOf(view, current), view, validation, request)),
    isTracked: false,
  }));
}

async function applyScale<T extends ApiObject>(
  endpoint: ResourceEndpoint<T>,
  request: ApiRequest,
  scale: ScaleView<T>,
): Promise<ValueResult<Scale>> {
  const { settings } = endpoint;
  const options = writeOptionsOf(request, "PatchOptions", settings, true);
  const view = settings.scaleView;
  const reports = new FieldReports(fieldValidationOf(request.query, settings));
  const configuration = await readConfiguration(view.typeMeta, settings, request, reports);
  return await storeScale(endpoint, request, scale, options, async (current, tracked) => {
    const applied = await settings.fieldTracking.apply(view, current, configuration, {
      ...tracked,
      force: options.force,
    });
    reports.finishConfiguration(request);
    const wanted = convertToHub(view.version, decodeApplied(view, applied.object, configuration));
    wanted.metadata.managedFields = [...applied.managedFields];
    return { wanted, isTracked: true };
  });
}

/** The JSON that a patch is applied to. */
function jsonOf(view: VersionedView<Scale>, object: Scale): JsonObject {
  const value = parseJson(view.print(object));
  if (!isJsonObject(value)) throw new Error("an encoded object must be a JSON object");
  return value;
}

/** Computes the changed scale. */
type Change = (current: Scale, tracked: TrackedWrite) => ChangedScale | Promise<ChangedScale>;

interface ChangedScale {
  readonly wanted: Scale;
  /** Whether its managed fields are final. */
  readonly isTracked: boolean;
}

async function storeScale<T extends ApiObject>(
  endpoint: ResourceEndpoint<T>,
  request: ApiRequest,
  scale: ScaleView<T>,
  options: WriteOptions,
  change: Change,
): Promise<ValueResult<Scale>> {
  const tracked = {
    manager: options.fieldManager,
    now: request.receivedAt,
    subresource: request.info.subresource,
    resetFields: [["status"]],
    scope: request,
  };
  const { stored } = await storeUpdate(endpoint, request, {
    options,
    tracksFields: false,
    admitted: admittedScale(endpoint, request, scale),
    async transform(current) {
      if (current === undefined) throw new Error("a Scale cannot create an object");
      return await scaledObject(endpoint, request, current, { scale, change, tracked });
    },
  });
  return answer(endpoint, scaleOf(stored.decode(), scale));
}

/** What admission sees of the write: the scale in place of the workload. */
function admittedScale<T extends ApiObject>(
  { settings, view }: ResourceEndpoint<T>,
  request: ApiRequest,
  scale: ScaleView<T>,
): Admitted<T> {
  return {
    kind: scaleKind,
    forms() {
      // A scale is part of the workload, so rules name the workload's resource and versions.
      const served = servedFormsOf(view).map(({ resource }) => ({ kind: scaleKind, resource }));
      return viewForms(settings.scaleView, request, { served });
    },
    of(object) {
      const part = scaleOf(object, scale);
      return { part, adopt: () => scale.setSpecReplicas(object, part.spec.replicas ?? 0) };
    },
  };
}

/** A copy of the workload with the new scale's replicas and their owner. */
async function scaledObject<T extends ApiObject>(
  endpoint: ResourceEndpoint<T>,
  { info }: ApiRequest,
  current: CurrentObject<T>,
  {
    scale,
    change,
    tracked,
  }: { readonly scale: ScaleView<T>; readonly change: Change; readonly tracked: TrackedWrite },
): Promise<T> {
  const { settings, view } = endpoint;
  const paths = replicasPaths(endpoint, scale);
  const object = current.copy();
  const entries = object.metadata.managedFields ?? [];
  const old = scaleOf(object, scale);
  // The owner of the workload's replica count also owns that of the scale.
  old.metadata.managedFields = scaleManagedFields(entries, paths);
  const { wanted, isTracked } = await change(settings.scaleCodec.clone(old), tracked);
  checkName(wanted.metadata, info, { namespaced: true });
  checkScale(endpoint, scale, wanted, current.old);
  if (!isTracked) await settings.fieldTracking.track(settings.scaleView, wanted, old, tracked);
  scale.setSpecReplicas(object, wanted.spec.replicas ?? 0);
  const after = managedFieldsAfterScale(
    entries,
    wanted.metadata.managedFields ?? [],
    view.typeMeta.apiVersion,
    paths,
  );
  object.metadata.managedFields = after.length === 0 ? undefined : after;
  return object;
}

function replicasPaths<T extends ApiObject>(
  endpoint: ResourceEndpoint<T>,
  scale: ScaleView<T>,
): ReplicasPaths {
  const { group, versions } = endpoint.view.definition;
  const path = scale.specReplicasPath ?? ["spec", "replicas"];
  return new Map(versions.map(({ version }) => [apiVersionOf({ group, version }), path]));
}

function checkScale<T extends ApiObject>(
  endpoint: ResourceEndpoint<T>,
  scale: ScaleView<T>,
  wanted: Scale,
  current: T,
): void {
  const { name = "" } = current.metadata;
  const { namespaced, standardFinalizers, level = oldestLevel } = endpoint.registry.definition;
  // Since 1.24, the namespace of the request completes what was sent.
  const { namespace } = (isAtLeast(level, "1.24") ? current : wanted).metadata;
  const metadataRules = { namespaced, standardFinalizers, validateName: nameIsDnsSubdomain };
  const errors =
    scale.isValidatedByKind === true
      ? []
      : [
          ...validateObjectMeta({ ...wanted.metadata, namespace }, metadataRules, FieldPath.of("metadata")),
          ...validateNonnegative(wanted.spec?.replicas ?? 0, FieldPath.of("spec", "replicas")),
        ];
  if (errors.length > 0) throw invalidObject({ group: "autoscaling", kind: "Scale" }, name, errors);
  const { uid = "", resourceVersion } = wanted.metadata;
  const { definition } = endpoint.registry;
  if (uid !== "" && uid !== current.metadata.uid) {
    throw otherUid(definition, name, { wanted: uid, actual: current.metadata.uid ?? "" });
  }
  refuseMalformedVersion(wanted.metadata);
  if (!namesNoVersion(resourceVersion) && resourceVersion !== current.metadata.resourceVersion) {
    throw outdatedVersion(definition, name);
  }
}

function scaleOf<T extends ApiObject>(object: T, scale: ScaleView<T>): Scale {
  const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata;
  const selector = scale.selector(object);
  return {
    metadata: { name, namespace, uid, resourceVersion, creationTimestamp },
    // An absent count stays absent, as in a decoded scale.
    spec: { replicas: scale.specReplicas(object) || undefined },
    status: { replicas: scale.statusReplicas(object), selector: selector === "" ? undefined : selector },
  };
}

function answer<T extends ApiObject>(
  { settings, view }: ResourceEndpoint<T>,
  object: Scale,
): ValueResult<Scale> {
  const { scaleView, customScaleView } = settings;
  return { kind: "value", code: 200, view: view.statesType ? customScaleView : scaleView, object };
}
