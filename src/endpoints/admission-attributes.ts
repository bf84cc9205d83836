import type { AdmissionAttributes, AdmissionOperation } from "../admission/admission-chain.js";
import type { ApiObject } from "../apimachinery/meta.js";
import type { ApiRequest } from "./api-request.js";
import type { ResourceEndpoint } from "./resource-endpoint.js";

export interface AdmittedWrite {
  readonly operation: AdmissionOperation;
  /** Of the object, when it is not of the resource's kind. */
  readonly kind?: AdmissionAttributes["kind"] | undefined;
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
  return new RequestAttributes(endpoint, request, write);
}

/** A class for the sake of `signal`: it costs something to make and few ask for it, and getters of literals are slow. */
class RequestAttributes<T extends ApiObject> implements AdmissionAttributes {
  readonly operation: AdmissionOperation;
  readonly kind: AdmissionAttributes["kind"];
  readonly resource: AdmissionAttributes["resource"];
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
  readonly object: ApiObject | undefined;
  readonly oldObject: ApiObject | undefined;
  readonly user: AdmissionAttributes["user"];
  readonly dryRun: boolean;
  readonly options: object | undefined;
  readonly #request: ApiRequest;

  constructor(endpoint: ResourceEndpoint<T>, request: ApiRequest, write: AdmittedWrite) {
    const { definition, version } = endpoint.view;
    const { group, kind, resource } = definition;
    this.operation = write.operation;
    this.kind = write.kind ?? { group, version: version.version, kind };
    this.resource = { group, version: version.version, resource };
    this.subresource = request.info.subresource;
    this.namespace = request.info.namespace;
    this.name = write.name;
    this.object = write.object;
    this.oldObject = write.oldObject;
    this.user = request.user;
    this.dryRun = write.dryRun;
    this.options = write.options;
    this.#request = request;
  }

  get signal(): AbortSignal {
    return this.#request.signal;
  }

  warn(text: string): void {
    this.#request.warn(text);
  }
}
