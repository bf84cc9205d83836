import type { ApiObject, GroupVersionKind, GroupVersionResource } from "../../apimachinery/objects/meta.js";
import type { UserInfo } from "../../apimachinery/requests/request-info.js";
import type { WriteScope } from "../../request/write-scope.js";
import type { ObjectForms } from "./object-forms.js";
import type { Reinvocation } from "./reinvocation.js";

export type AdmissionOperation = "CREATE" | "UPDATE" | "DELETE" | "CONNECT";

/** One write as the admission plugins see it. Objects are of the hub version. */
export interface AdmissionAttributes {
  readonly operation: AdmissionOperation;
  /** Kind of the object, in the version of the request. */
  readonly kind: GroupVersionKind;
  readonly resource: GroupVersionResource;
  readonly subresource: string;
  /** Empty for cluster-scoped resources. */
  readonly namespace: string;
  /** Empty when the server generates the name, and for the items of a deletecollection. */
  readonly name: string;
  /** Mutating plugins change it in place. Undefined for DELETE; the connection's options for CONNECT. */
  readonly object: ApiObject | undefined;
  /** Do not change it. Undefined for CREATE and CONNECT. */
  readonly oldObject: ApiObject | undefined;
  /** Undefined for CONNECT, whose options are its object. */
  readonly options: OperationOptions | undefined;
  readonly user: UserInfo;
  readonly dryRun: boolean;
  readonly signal: AbortSignal;
  /** The request's objects in the versions that are served. */
  readonly forms: ObjectForms;
  /** Shared by the mutating passes over the same object. */
  readonly reinvocation: Reinvocation;
  /** Adds a `Warning` header to the answer. */
  warn(text: string): void;
  /** Adds an annotation to the request's audit event. `key` is a qualified name: `pod-security.<domain>/exempt`. */
  addAnnotation(key: string, value: string): void;
  /** The parts of the write that few plugins use. */
  readonly write: Pick<
    WriteScope,
    "auditsObjects" | "addMutatingWebhookTime" | "addValidatingWebhookTime" | "step"
  >;
}

/** Admission treats a patch as an update or a create, so there are no PatchOptions. */
export interface OperationOptions {
  readonly kind: "CreateOptions" | "UpdateOptions" | "DeleteOptions";
  /** As the client sent them; options that were not sent are absent. */
  readonly value: object;
}
