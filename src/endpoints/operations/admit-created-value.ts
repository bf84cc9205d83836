import type { AdmissionAttributes } from "../../admission/chain/admission-attributes.js";
import type { AdmissionChain } from "../../admission/chain/admission-chain.js";
import type { ApiObject, GroupVersionKind } from "../../apimachinery/objects/meta.js";
import type { Codec } from "../../apimachinery/schema/codec.js";
import type { VersionedView } from "../../registry/generic/versioned-view.js";
import type { ApiRequest } from "../../request/api-request.js";
import type { WriteScope } from "../../request/write-scope.js";
import { writeAttributes } from "../resource/admission-attributes.js";
import type { EndpointSettings } from "../resource/resource-endpoint.js";
import { valueForms } from "../resource/served-forms.js";
import type { WriteOptions } from "../resource/write-options.js";

/** An object that is created but not stored: a binding, an eviction, a token request. */
export interface CreatedValue {
  readonly kind: GroupVersionKind;
  readonly object: ApiObject;
  readonly codec: Codec<ApiObject>;
  readonly options: WriteOptions;
}

/** Sets the managed fields of an object that is not stored: admission and the client see them. */
export async function trackCreatedValue<T extends ApiObject>(
  view: VersionedView<T>,
  object: T,
  request: ApiRequest,
  { manager, settings }: { readonly manager: string; readonly settings: EndpointSettings },
): Promise<void> {
  await settings.fieldTracking.track(view, object, undefined, {
    manager,
    now: request.receivedAt,
    subresource: request.info.subresource,
    scope: request,
  });
}

/** The attributes for admission. */
export function createdValueAttributes(
  { info }: ApiRequest,
  write: WriteScope,
  { kind, object, codec, options }: CreatedValue,
): AdmissionAttributes {
  const resource = { group: info.apiGroup, version: info.apiVersion, resource: info.resource };
  return writeAttributes(write, {
    operation: "CREATE",
    kind,
    resource,
    name: info.name === "" ? (object.metadata.name ?? "") : info.name,
    object,
    oldObject: undefined,
    options: { kind: "CreateOptions", value: options.sent },
    forms: () => valueForms({ kind, resource }, codec),
  });
}

/** Runs admission, mutating plugins first. */
export async function admitCreatedValue(
  admission: AdmissionChain,
  request: ApiRequest,
  write: WriteScope,
  created: CreatedValue,
): Promise<void> {
  const attributes = createdValueAttributes(request, write, created);
  await admission.mutate(attributes);
  await admission.validate(attributes);
}
