import type { ObjectForms } from "../../admission/chain/object-forms.js";
import { type MaybePromise, whenDone } from "../../apimachinery/objects/maybe-promise.js";
import type { ApiObject, GroupVersionKind } from "../../apimachinery/objects/meta.js";
import type { Strategy } from "../../apis/definition/strategy.js";
import type { CurrentObject } from "../../registry/generic/resource-registry.js";
import type { ApiRequest } from "../../request/api-request.js";
import type { WriteScope } from "../../request/write-scope.js";
import { decodeBody } from "../bodies/decode-object.js";
import { admissionAttributes, writeAttributes } from "../resource/admission-attributes.js";
import type { ObjectResult } from "../resource/api-result.js";
import type { ResourceEndpoint } from "../resource/resource-endpoint.js";
import { type WriteOptions, writeOf, writeOptionsOf } from "../resource/write-options.js";
import { checkName } from "./check-name.js";
import { afterAdmission, dropRepeatedOwners } from "./owner-references.js";

/** PUT of an object, or of a part of it when `part` gives the part's strategy. */
export async function updateObject<T extends ApiObject>(
  endpoint: ResourceEndpoint<T>,
  request: ApiRequest,
  part?: Strategy<T>,
): Promise<ObjectResult<T>> {
  const { view, settings } = endpoint;
  const options = writeOptionsOf(request, "UpdateOptions", settings);
  const decoding = decodeBody({ ...view, ignoresKind: part !== undefined }, settings, request);
  const sent = decoding instanceof Promise ? await decoding : decoding;
  checkName(sent.metadata, request.info);
  return await storeUpdate(endpoint, request, {
    options,
    part,
    uid: sent.metadata.uid,
    // Each attempt may change the object, so each starts from the client's.
    transform: () => view.hubOfSent(view.version.codec.clone(sent), request),
  });
}

export interface UpdatePlan<T extends ApiObject> {
  readonly options: WriteOptions;
  /** The strategy of a subresource. */
  readonly part?: Strategy<T> | undefined;
  readonly createIfMissing?: boolean | undefined;
  readonly uid?: string | undefined;
  /** What the client makes of the newest object; undefined when there is none and one may be created. */
  readonly transform: (current: CurrentObject<T> | undefined) => MaybePromise<T>;
  /** Server-side apply records its own field managers. */
  readonly tracksFields?: boolean | undefined;
  /** The object that admission sees, for a subresource with an object of its own. */
  readonly admitted?: {
    readonly kind: GroupVersionKind;
    readonly forms: () => ObjectForms;
    of(object: T): AdmittedPart;
  };
}

export interface AdmittedPart {
  readonly part: ApiObject;
  /** Copies admission's changes to the part back to the object. */
  adopt(): void;
}

/**
 * The common part of update, patch and apply. One attempt of a write reads downwards: the newest object is transformed, its managers are
 * tracked, admission changes it; then the registry prepares, validates and stores it. It all runs again when somebody else wrote meanwhile.
 */
export async function storeUpdate<T extends ApiObject>(
  endpoint: ResourceEndpoint<T>,
  request: ApiRequest,
  plan: UpdatePlan<T>,
): Promise<ObjectResult<T>> {
  const { registry, view } = endpoint;
  const write = writeOf(request, plan.options.dryRun);
  const admission = admissionOf(endpoint, request, write, plan);
  const warn = (text: string): void => request.warn(text);
  request.step("About to store object in database");
  const { stored, created } = await registry.update(write, request.info.name, {
    strategy: plan.part,
    createIfMissing: plan.createIfMissing,
    uid: plan.uid,
    async transform(current) {
      const old = current?.old;
      const transforming = plan.transform(current);
      const object = transforming instanceof Promise ? await transforming : transforming;
      checkName(object.metadata, request.info);
      if (registry.definition.namespaced && (object.metadata.namespace ?? "") === "") {
        object.metadata.namespace = request.info.namespace;
      }
      dropRepeatedOwners(object, warn);
      const tracking = plan.tracksFields === true ? undefined : track(endpoint, request, plan, object, old);
      if (tracking !== undefined) await tracking;
      const mutating = admission.mutate(object, old);
      if (mutating !== undefined) await mutating;
      dropRepeatedOwners(object, warn, afterAdmission);
      return object;
    },
    validate: (object, old) => admission.validate(object, old),
  });
  request.step("Object stored in database");
  return { kind: "object", code: created ? 201 : 200, view, stored };
}

/** Records the manager of what changed. */
function track<T extends ApiObject>(
  { registry, view, settings }: ResourceEndpoint<T>,
  request: ApiRequest,
  { options, part }: UpdatePlan<T>,
  object: T,
  old: T | undefined,
): MaybePromise<void> {
  const tracked = {
    manager: options.fieldManager,
    now: request.receivedAt,
    subresource: request.info.subresource,
    resetFields: (part ?? registry.definition.strategy).resetFields,
    scope: request,
  };
  return old === undefined
    ? settings.fieldTracking.onCreate(view, object, tracked)
    : settings.fieldTracking.onUpdate(view, object, old, tracked);
}

/** Admission of the object, or of the object that a subresource shows in its place. */
function admissionOf<T extends ApiObject>(
  endpoint: ResourceEndpoint<T>,
  request: ApiRequest,
  write: WriteScope,
  { admitted, options }: UpdatePlan<T>,
) {
  const { view, admission } = endpoint;
  const seenOf = (object: T): ApiObject => admitted?.of(object).part ?? object;
  const attributes = (object: ApiObject, old: T | undefined) => {
    const seen = {
      operation: old === undefined ? ("CREATE" as const) : ("UPDATE" as const),
      name: request.info.name,
      object,
      oldObject: old && seenOf(old),
      options: {
        kind: old === undefined ? ("CreateOptions" as const) : ("UpdateOptions" as const),
        value: options.sent,
      },
    };
    if (admitted === undefined) return admissionAttributes(endpoint, write, seen);
    const { kind, forms } = admitted;
    const { group, resource } = view.definition;
    const { version } = view.version;
    return writeAttributes(write, { ...seen, kind, resource: { group, version, resource }, forms });
  };
  return {
    mutate(object: T, old: T | undefined): MaybePromise<void> {
      if (admitted === undefined) return admission.mutate(attributes(object, old));
      const { part, adopt } = admitted.of(object);
      return whenDone(admission.mutate(attributes(part, old)), adopt);
    },
    validate: (object: T, old: T | undefined) => admission.validate(attributes(seenOf(object), old)),
  };
}
