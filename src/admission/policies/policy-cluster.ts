import type { CelAccessQuestion } from "../../apimachinery/cel/cel-access-functions.js";
import type { JsonObject } from "../../apimachinery/json/json-value.js";
import type { MaybePromise } from "../../apimachinery/objects/maybe-promise.js";
import type { GroupVersionKind } from "../../apimachinery/objects/meta.js";
import type { Decision } from "../../apimachinery/requests/authorizer.js";
import type { UserInfo } from "../../apimachinery/requests/request-info.js";
import type { LabelSelector } from "../../apimachinery/selectors/label-selector.js";

/** A question of an expression about any action of the request's user, or of a service account. Groups are full names. */
export interface AccessCheck extends Omit<CelAccessQuestion, "serviceAccount"> {
  readonly user: UserInfo | { readonly namespace: string; readonly name: string };
  readonly verb: string;
}

export interface PolicyAuthorizer {
  /** A promise only when an authorizer has to wait. */
  decide(check: AccessCheck, signal: AbortSignal): MaybePromise<Decision>;
}

/** The objects of one kind that policies may take as parameters, built-in or custom, in their present state. */
export interface ParamSource {
  readonly namespaced: boolean;
  /** JSON in the requested version, shared with others. `namespace` is empty for cluster-scoped objects. */
  get(namespace: string, name: string): Promise<JsonObject | undefined>;
  /** The objects of a namespace, in the order of their names. */
  select(namespace: string, selector: LabelSelector): Promise<readonly JsonObject[]>;
}

/** What policies look up. */
export interface PolicyCluster {
  /** The namespace of a request's object as JSON; null for objects without one. */
  namespaceObject(name: string): Promise<JsonObject | null>;
  /** Undefined while no resource of that kind and version is served. */
  params(kind: GroupVersionKind): ParamSource | undefined;
}
