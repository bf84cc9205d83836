/** The user, as the authenticators identified it. */
export interface UserInfo {
  readonly name: string;
  readonly uid: string;
  readonly groups: readonly string[];
  readonly extra: Readonly<Record<string, readonly string[]>>;
}

/** What is requested, derived only from method and path. */
export interface RequestInfo {
  readonly isResourceRequest: boolean;
  readonly path: string;
  /** get, list, watch, create, update, patch, delete, deletecollection, proxy; otherwise the lower-case method. */
  readonly verb: string;
  /** "api" or "apis" for resource requests. */
  readonly apiPrefix: string;
  readonly apiGroup: string;
  readonly apiVersion: string;
  readonly namespace: string;
  readonly resource: string;
  readonly subresource: string;
  /** From the path, or from the field selector of a list or watch. */
  readonly name: string;
  /**
   * The path from the resource on: resource, name, subresource and the rest. The last one holds what is left of a path with very many
   * segments.
   */
  readonly parts: readonly string[];
}
