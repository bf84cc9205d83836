import type {
  AdmissionAttributes,
  AdmissionOperation,
  OperationOptions,
} from "../admission/admission-attributes.js";
import type { ObjectForms } from "../admission/object-forms.js";
import { Reinvocation } from "../admission/reinvocation.js";
import type { ApiObject } from "../apimachinery/meta.js";
import type { ApiRequest } from "./api-request.js";
import type { ResourceEndpoint } from "./resource-endpoint.js";
import { viewForms } from "./served-forms.js";

/** What of a request is admitted; the rest of the attributes is the request's own. */
export interface AdmittedWrite {
  readonly operation: AdmissionOperation;
  readonly kind: AdmissionAttributes["kind"];
  readonly resource: AdmissionAttributes["resource"];
  readonly name: string;
  readonly object: ApiObject | undefined;
  readonly oldObject: ApiObject | undefined;
  readonly dryRun: boolean;
  readonly options: OperationOptions | undefined;
  /** Called once, when a plugin asks. */
  readonly forms: () => ObjectForms;
}

export function requestAttributes(request: ApiRequest, write: AdmittedWrite): AdmissionAttributes {
  return new RequestAttributes(request, write);
}

/** Of a write of an object of the endpoint's resource. */
export function admissionAttributes<T extends ApiObject>(
  endpoint: ResourceEndpoint<T>,
  request: ApiRequest,
  write: Pick<AdmittedWrite, "operation" | "name" | "object" | "oldObject" | "dryRun" | "options">,
): AdmissionAttributes {
  const { definition, version } = endpoint.view;
  const { group, kind, resource } = definition;
  return new RequestAttributes(request, {
    ...write,
    kind: { group, version: version.version, kind },
    resource: { group, version: version.version, resource },
    forms: () => viewForms(endpoint.view),
  });
}

/** A class because `signal` and what follows it cost something to make and are rarely asked for, and getters of literals are slow. */
class RequestAttributes implements AdmissionAttributes {
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
  readonly options: OperationOptions | undefined;
  readonly #request: ApiRequest;
  readonly #makeForms: () => ObjectForms;
  #forms: ObjectForms | undefined;
  #reinvocation: Reinvocation | undefined;

  constructor(request: ApiRequest, write: AdmittedWrite) {
    this.operation = write.operation;
    this.kind = write.kind;
    this.resource = write.resource;
    this.subresource = request.info.subresource;
    this.namespace = request.info.namespace;
    this.name = write.name;
    this.object = write.object;
    this.oldObject = write.oldObject;
    this.user = request.user;
    this.dryRun = write.dryRun;
    this.options = write.options;
    this.#request = request;
    this.#makeForms = write.forms;
  }

  get signal(): AbortSignal {
    return this.#request.signal;
  }

  get forms(): ObjectForms {
    this.#forms ??= this.#makeForms();
    return this.#forms;
  }

  get reinvocation(): Reinvocation {
    this.#reinvocation ??= new Reinvocation();
    return this.#reinvocation;
  }

  warn(text: string): void {
    this.#request.warn(text);
  }

  addAnnotation(key: string, value: string): void {
    this.#request.annotate?.(key, value);
  }
}
