import {
  authorizerValue,
  type CelAuthorizer,
  resourceCheckValue,
} from "../../apimachinery/cel/cel-access-functions.js";
import { scalarTypes } from "../../apimachinery/cel/cel-type.js";
import { type CelValue, fromJson } from "../../apimachinery/cel/cel-value.js";
import type { JsonObject } from "../../apimachinery/json/json-value.js";
import { namespaceType, requestType } from "../../apis/admissionregistration/expressions/admission-types.js";
import type { AdmissionAttributes } from "../chain/admission-attributes.js";
import type { ServedForm } from "../chain/object-forms.js";

/** The objects that expressions see, in the form in which the request matches. */
export interface SeenObjects {
  readonly object: JsonObject | null;
  readonly oldObject: JsonObject | null;
  /** Null for cluster-scoped objects, and when no expression reads it. */
  readonly namespace: JsonObject | null;
}

/** The objects of a request in this form. A promise only where a webhook converts. */
export async function seenObjects(
  { object, oldObject, forms }: AdmissionAttributes,
  form: ServedForm,
): Promise<Pick<SeenObjects, "object" | "oldObject">> {
  const shown = object === undefined ? null : forms.json(object, form.kind);
  const old = oldObject === undefined ? null : forms.json(oldObject, form.kind);
  return {
    object: shown instanceof Promise ? await shown : shown,
    oldObject: old instanceof Promise ? await old : old,
  };
}

/** The values of the variables in expressions about one request, each made when an expression first reads it. */
export class PolicyVariables {
  readonly #attributes: AdmissionAttributes;
  readonly #form: ServedForm;
  readonly #objects: SeenObjects;
  readonly #authorizer: CelAuthorizer;
  readonly #metaGroup: string;
  readonly #made = new Map<string, CelValue>();

  constructor(
    attributes: AdmissionAttributes,
    form: ServedForm,
    parts: { readonly objects: SeenObjects; readonly authorizer: CelAuthorizer; readonly metaGroup: string },
  ) {
    this.#attributes = attributes;
    this.#form = form;
    this.#objects = parts.objects;
    this.#authorizer = parts.authorizer;
    this.#metaGroup = parts.metaGroup;
  }

  valueOf(name: string): CelValue {
    let value = this.#made.get(name);
    if (value === undefined) {
      value = this.#make(name);
      this.#made.set(name, value);
    }
    return value;
  }

  #make(name: string): CelValue {
    const { object, oldObject, namespace } = this.#objects;
    switch (name) {
      case "object":
        return fromJson(object, scalarTypes.dyn);
      case "oldObject":
        return fromJson(oldObject, scalarTypes.dyn);
      case "namespaceObject":
        return fromJson(namespace, namespaceType);
      case "request":
        return fromJson(requestJson(this.#attributes, this.#form, this.#metaGroup), requestType);
      case "authorizer":
        return authorizerValue(this.#authorizer);
      case "authorizer.requestResource":
        return resourceCheckValue(this.#authorizer, requestedResource(this.#attributes));
      default:
        return null;
    }
  }
}

function requestedResource({ resource, subresource, namespace, name }: AdmissionAttributes) {
  return { group: resource.group, resource: resource.resource, subresource, namespace, name };
}

function requestJson(attributes: AdmissionAttributes, form: ServedForm, metaGroup: string): JsonObject {
  const { user, options, subresource, kind, resource } = attributes;
  const extra = Object.entries(user.extra).map(([key, values]): [string, string[]] => [key, [...values]]);
  return {
    kind: { ...form.kind },
    resource: { ...form.resource },
    ...(subresource !== "" && { subResource: subresource }),
    requestKind: { ...kind },
    requestResource: { ...resource },
    ...(subresource !== "" && { requestSubResource: subresource }),
    ...(attributes.name !== "" && { name: attributes.name }),
    ...(attributes.namespace !== "" && { namespace: attributes.namespace }),
    operation: attributes.operation,
    userInfo: {
      ...(user.name !== "" && { username: user.name }),
      ...(user.uid !== "" && { uid: user.uid }),
      ...(user.groups.length > 0 && { groups: [...user.groups] }),
      ...(extra.length > 0 && { extra: Object.fromEntries(extra) }),
    },
    dryRun: attributes.dryRun,
    options:
      options === undefined ? null : { kind: options.kind, apiVersion: `${metaGroup}/v1`, ...options.value },
  };
}
