import type { ObjectForms } from "../admission/object-forms.js";
import type { ApiObject, GroupVersionKind } from "../apimachinery/meta.js";
import { readingDeferred } from "../apimachinery/schema/deferred-member.js";
import { stepsInTurns } from "../apimachinery/steps.js";
import type { Strategy } from "../apis/definition/strategy.js";
import type { UpdateRequest } from "../registry/generic/resource-registry.js";
import { admissionAttributes, writeAttributes } from "./admission-attributes.js";
import type { ApiRequest } from "./api-request.js";
import type { ObjectResult } from "./api-result.js";
import { checkName } from "./check-name.js";
import { decodeBody } from "./decode-object.js";
import { afterAdmission, dropRepeatedOwners } from "./owner-references.js";
import type { ResourceEndpoint } from "./resource-endpoint.js";
import { type WriteOptions, writeOf, writeOptionsOf } from "./write-options.js";

/** PUT of an object, or of a part of it when `part` gives the part's strategy. */
export async function updateObject<T extends ApiObject>(
  endpoint: ResourceEndpoint<T>,
  request: ApiRequest,
  part?: Strategy<T>,
): Promise<ObjectResult<T>> {
  const { view, settings } = endpoint;
  const options = writeOptionsOf(request, "UpdateOptions", settings);
  const sent = await decodeBody({ ...view, ignoresKind: part !== undefined }, settings, request);
  checkName(sent.metadata, request.info);
  return await storeUpdate(endpoint, request, {
    options,
    part,
    uid: sent.metadata.uid,
    // Each attempt may change the object, so each starts from the client's.
    transform: async () => view.hubOfSent(view.version.codec.clone(sent), request),
  });
}

export interface UpdatePlan<T extends ApiObject> {
  readonly options: WriteOptions;
  /** The strategy of a subresource. */
  readonly part?: Strategy<T> | undefined;
  readonly createIfMissing?: boolean | undefined;
  readonly uid?: string | undefined;
  /** The object before admission. */
  readonly transform: UpdateRequest<T>["transform"];
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

/** The common part of update, patch and apply: admission and field managers around a transformation. */
export async function storeUpdate<T extends ApiObject>(
  endpoint: ResourceEndpoint<T>,
  request: ApiRequest,
  plan: UpdatePlan<T>,
): Promise<ObjectResult<T>> {
  const { registry, view, admission, settings } = endpoint;
  const { name, namespace, subresource } = request.info;
  const { admitted } = plan;
  const seenOf = (object: T): ApiObject => admitted?.of(object).part ?? object;
  const write = writeOf(request, plan.options.dryRun);
  const attributes = (object: ApiObject, old: T | undefined) => {
    const seen = {
      operation: old === undefined ? ("CREATE" as const) : ("UPDATE" as const),
      name,
      object,
      oldObject: old && seenOf(old),
      options: {
        kind: old === undefined ? ("CreateOptions" as const) : ("UpdateOptions" as const),
        value: plan.options.sent,
      },
    };
    if (admitted === undefined) return admissionAttributes(endpoint, write, seen);
    const { kind, forms } = admitted;
    const { group, resource } = view.definition;
    const { version } = view.version;
    return writeAttributes(write, { ...seen, kind, resource: { group, version, resource }, forms });
  };
  const mutate = async (object: T, old: T | undefined): Promise<void> => {
    if (admitted === undefined) return await admission.mutate(attributes(object, old));
    const { part, adopt } = admitted.of(object);
    await admission.mutate(attributes(part, old));
    adopt();
  };

  /** Comparing would read them in one step with all else that it does. */
  const readDeferred = async (old: T | undefined): Promise<void> => {
    const deferred = registry.definition.storage?.deferred;
    if (old !== undefined && deferred !== undefined)
      await stepsInTurns(readingDeferred(old, deferred), (parts) => request.takeTurn(parts));
  };

  const update: UpdateRequest<T> = {
    strategy: plan.part,
    createIfMissing: plan.createIfMissing,
    uid: plan.uid,
    async transform(current) {
      const old = current?.old;
      // An apply compares with them first; others need them only for a change that fits.
      if (plan.tracksFields === true) await readDeferred(old);
      const object = await plan.transform(current);
      await request.takeTurn();
      checkName(object.metadata, request.info);
      if (registry.definition.namespaced && (object.metadata.namespace ?? "") === "") {
        object.metadata.namespace = namespace;
      }
      const warn = (text: string): void => request.warn(text);
      dropRepeatedOwners(object, warn);
      if (plan.tracksFields !== true) {
        const { resetFields } = plan.part ?? registry.definition.strategy;
        const tracked = {
          manager: plan.options.fieldManager,
          now: request.receivedAt,
          subresource,
          resetFields,
          scope: request,
          takeTurn: (parts?: number) => request.takeTurn(parts),
        };
        await readDeferred(old);
        if (old === undefined) await settings.fieldTracking.onCreate(view, object, tracked);
        else await settings.fieldTracking.onUpdate(view, object, old, tracked);
      }
      await request.takeTurn();
      await mutate(object, old);
      dropRepeatedOwners(object, warn, afterAdmission);
      return object;
    },
    validate: (object, old) => admission.validate(attributes(seenOf(object), old)),
  };
  request.step("About to store object in database");
  const { stored, created } = await registry.update(write, name, update);
  request.step("Object stored in database");
  return { kind: "object", code: created ? 201 : 200, view, stored };
}
