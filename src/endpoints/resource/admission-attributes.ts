import type {
  AdmissionAttributes,
  AdmissionOperation,
  OperationOptions,
} from "../../admission/chain/admission-attributes.js";
import type { ObjectForms } from "../../admission/chain/object-forms.js";
import { Reinvocation } from "../../admission/chain/reinvocation.js";
import type { ApiObject } from "../../apimachinery/objects/meta.js";
import type { Replaced } from "../../apis/definition/resource-definition.js";
import type { WriteScope } from "../../request/write-scope.js";
import type { ResourceEndpoint } from "./resource-endpoint.js";
import { viewForms } from "./served-forms.js";

/** What admission sees of this write; the other attributes come from the write's scope. */
export interface AdmittedWrite {
  readonly operation: AdmissionOperation;
  readonly kind: AdmissionAttributes["kind"];
  readonly resource: AdmissionAttributes["resource"];
  readonly name: string;
  readonly object: ApiObject | undefined;
  readonly oldObject: ApiObject | undefined;
  readonly options: OperationOptions | undefined;
  /** Called at most once, when a plugin needs it. */
  readonly forms: () => ObjectForms;
}

export function writeAttributes(write: WriteScope, admitted: AdmittedWrite): AdmissionAttributes {
  return new WriteAttributes(write, admitted);
}

/** The attributes of a write of an object of the endpoint's resource. */
export function admissionAttributes<T extends ApiObject>(
  endpoint: ResourceEndpoint<T>,
  write: WriteScope,
  admitted: Pick<AdmittedWrite, "operation" | "name" | "object" | "oldObject" | "options"> & {
    readonly replaced?: Replaced<T> | undefined;
  },
): AdmissionAttributes {
  const { definition, version } = endpoint.view;
  const { group, kind, resource } = definition;
  return new WriteAttributes(write, {
    // Assigned one by one, because a spread takes as long as everything else here.
    operation: admitted.operation,
    name: admitted.name,
    object: admitted.object,
    oldObject: admitted.oldObject,
    options: admitted.options,
    kind: { group, version: version.version, kind },
    resource: { group, version: version.version, resource },
    forms: () => viewForms(endpoint.view, write, { replaced: admitted.replaced }),
  });
}

/**
 * A class because `signal` and the attributes after it are costly and rarely needed, and getters of object literals are slow.
 */
class WriteAttributes implements AdmissionAttributes {
  readonly operation: AdmissionOperation;
  readonly kind: AdmissionAttributes["kind"];
  readonly resource: AdmissionAttributes["resource"];
  readonly name: string;
  readonly object: ApiObject | undefined;
  readonly oldObject: ApiObject | undefined;
  readonly options: OperationOptions | undefined;
  readonly write: WriteScope;
  readonly #makeForms: () => ObjectForms;
  #forms: ObjectForms | undefined;
  #reinvocation: Reinvocation | undefined;

  constructor(write: WriteScope, admitted: AdmittedWrite) {
    this.write = write;
    this.operation = admitted.operation;
    this.kind = admitted.kind;
    this.resource = admitted.resource;
    this.name = admitted.name;
    this.object = admitted.object;
    this.oldObject = admitted.oldObject;
    this.options = admitted.options;
    this.#makeForms = admitted.forms;
  }

  get subresource(): string {
    return this.write.subresource;
  }

  get namespace(): string {
    return this.write.namespace;
  }

  get user(): AdmissionAttributes["user"] {
    return this.write.user;
  }

  get dryRun(): boolean {
    return this.write.dryRun;
  }

  get signal(): AbortSignal {
    return this.write.signal;
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
    this.write.warn(text);
  }

  addAnnotation(key: string, value: string): void {
    this.write.annotate(key, value);
  }
}
