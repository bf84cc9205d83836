import type { AdmissionAttributes } from "../../admission/chain/admission-attributes.js";
import type { ObjectForms } from "../../admission/chain/object-forms.js";
import { type MaybePromise, whenDone } from "../../apimachinery/objects/maybe-promise.js";
import type { ApiObject, GroupVersionKind } from "../../apimachinery/objects/meta.js";
import type { Strategy } from "../../apis/definition/strategy.js";
import type { WriteStages } from "../../registry/generic/write-stages.js";
import type { ApiRequest } from "../../request/api-request.js";
import type { WriteScope } from "../../request/write-scope.js";
import { admissionAttributes, writeAttributes } from "../resource/admission-attributes.js";
import type { ResourceEndpoint } from "../resource/resource-endpoint.js";
import type { WriteOptions } from "../resource/write-options.js";
import { keepManagersValid } from "./admitted-managers.js";
import { afterAdmission, dropRepeatedOwners } from "./owner-references.js";

export interface RequestWriteParts<T extends ApiObject> {
  readonly endpoint: ResourceEndpoint<T>;
  readonly request: ApiRequest;
  readonly scope: WriteScope;
  readonly options: WriteOptions;
  /** The strategy of a subresource. */
  readonly part?: Strategy<T> | undefined;
  /** False if the verb tracks the field managers itself. */
  readonly tracksFields?: boolean | undefined;
  readonly admitted?: Admitted<T> | undefined;
}

/** What admission sees in place of the object: a subresource with its own object. */
export interface Admitted<T extends ApiObject> {
  readonly kind: GroupVersionKind;
  readonly forms: () => ObjectForms;
  of(object: T): AdmittedPart;
}

export interface AdmittedPart {
  readonly part: ApiObject;
  /** Copies admission's changes to the part back to the object. */
  adopt(): void;
}

/** The stages of a request's write that are the same for every verb: field managers, and admission. */
export class RequestWrite<T extends ApiObject> implements WriteStages<T> {
  readonly #parts: RequestWriteParts<T>;

  constructor(parts: RequestWriteParts<T>) {
    this.#parts = parts;
  }

  /** Fields that admission adds have no owner: only what the client sent, with defaults, is owned. */
  track(object: T, old: T | undefined): MaybePromise<void> {
    const { endpoint, request, options, part, tracksFields } = this.#parts;
    if (tracksFields === false) return undefined;
    const { registry, view, settings } = endpoint;
    return settings.fieldTracking.track(view, object, old, {
      manager: options.fieldManager,
      now: request.receivedAt,
      subresource: request.info.subresource,
      resetFields: (part ?? registry.definition.strategy).resetFields,
      scope: request,
    });
  }

  mutate(object: T, old: T | undefined): MaybePromise<void> {
    const { endpoint, admitted } = this.#parts;
    if (admitted !== undefined) {
      const { part, adopt } = admitted.of(object);
      return whenDone(endpoint.admission.mutate(this.#attributes(part, old)), adopt);
    }
    const { managedFields } = object.metadata;
    const mutating = endpoint.admission.mutate(this.#attributes(object, old));
    if (mutating !== undefined) return mutating.then(() => this.#tidy(object, managedFields));
    this.#tidy(object, managedFields);
  }

  validate(object: T, old: T | undefined): MaybePromise<void> {
    return this.#parts.endpoint.admission.validate(this.#attributes(this.#seen(object), old));
  }

  /** Repairs managed fields and owner references after admission; `managers` are those before it. */
  #tidy(object: T, managers: ApiObject["metadata"]["managedFields"]): void {
    const { request } = this.#parts;
    keepManagersValid(object, managers, request);
    dropRepeatedOwners(object, request, afterAdmission);
  }

  #seen(object: T): ApiObject {
    return this.#parts.admitted?.of(object).part ?? object;
  }

  #attributes(object: ApiObject, old: T | undefined): AdmissionAttributes {
    const { endpoint, request, scope, options, part, admitted } = this.#parts;
    const isNew = old === undefined;
    const seen = {
      operation: isNew ? ("CREATE" as const) : ("UPDATE" as const),
      name: isNew ? (object.metadata.name ?? "") : request.info.name,
      object,
      oldObject: old && this.#seen(old),
      replaced: old && { current: { old }, part },
      options: {
        kind: isNew ? ("CreateOptions" as const) : ("UpdateOptions" as const),
        value: options.sent,
      },
    };
    if (admitted === undefined) return admissionAttributes(endpoint, scope, seen);
    const { group, resource } = endpoint.view.definition;
    const { version } = endpoint.view.version;
    const { kind, forms } = admitted;
    return writeAttributes(scope, { ...seen, kind, resource: { group, version, resource }, forms });
  }
}
