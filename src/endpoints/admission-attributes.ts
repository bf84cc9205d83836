import type { AdmissionAttributes, AdmissionOperation } from "../admission/admission-chain.js";
import type { ApiObject } from "../apimachinery/meta.js";
import type { ApiRequest } from "./api-request.js";
import type { ResourceEndpoint } from "./resource-endpoint.js";

export interface AdmittedWrite {
  readonly operation: AdmissionOperation;
  readonly name: string;
  readonly object: ApiObject | undefined;
  readonly oldObject: ApiObject | undefined;
  readonly dryRun: boolean;
  readonly options?: object | undefined;
}

/** The write of a request as the admission plugins are told of it. */
export function admissionAttributes<T extends ApiObject>(
  endpoint: ResourceEndpoint<T>,
  request: ApiRequest,
  write: AdmittedWrite,
): AdmissionAttributes {
  const { definition, version } = endpoint.view;
  const { group, kind, resource } = definition;
  return {
    operation: write.operation,
    kind: { group, version: version.version, kind },
    resource: { group, version: version.version, resource },
    subresource: request.info.subresource,
    namespace: request.info.namespace,
    name: write.name,
    object: write.object,
    oldObject: write.oldObject,
    user: request.user,
    dryRun: write.dryRun,
    get signal() {
      return request.signal;
    },
    options: write.options,
    warn: (text) => request.warn(text),
  };
}
