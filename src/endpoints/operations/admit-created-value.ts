import type { AdmissionChain } from "../../admission/admission-chain.js";
import type { ApiObject, GroupVersionKind } from "../../apimachinery/meta.js";
import type { ApiRequest } from "../api-request.js";

/** The object of a create that is not stored: a binding, an eviction, a token request. */
export interface CreatedValue {
  readonly kind: GroupVersionKind;
  readonly object: ApiObject;
  readonly dryRun: boolean;
}

/** Asks admission about it, the mutating plugins first. */
export async function admitCreatedValue(
  admission: AdmissionChain,
  request: ApiRequest,
  { kind, object, dryRun }: CreatedValue,
): Promise<void> {
  const { info } = request;
  const attributes = {
    operation: "CREATE" as const,
    kind,
    resource: { group: info.apiGroup, version: info.apiVersion, resource: info.resource },
    subresource: info.subresource,
    namespace: info.namespace,
    name: info.name === "" ? (object.metadata.name ?? "") : info.name,
    object,
    oldObject: undefined,
    user: request.user,
    dryRun,
    signal: request.signal,
    options: undefined,
    warn: (text: string) => request.warn(text),
  };
  await admission.mutate(attributes);
  await admission.validate(attributes);
}
