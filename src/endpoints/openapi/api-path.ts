import type { GroupVersionKind } from "../../apimachinery/objects/meta.js";

/** One path of the API and its operations, independent of the OpenAPI version. */
export interface ApiPath {
  readonly path: string;
  /** Parameters of all operations of the path. */
  readonly parameters: readonly ApiParameter[];
  readonly operations: readonly ApiOperation[];
}

export type ApiMethod = "get" | "put" | "post" | "delete" | "options" | "head" | "patch";

export interface ApiParameter {
  readonly name: string;
  readonly in: "query" | "path";
  readonly type: "string" | "boolean" | "integer";
  readonly description: string;
}

/** A body: a declared type by its full name, the name of a definition, plain text, or none. */
export type ApiBody =
  | { readonly kind: "type"; readonly name: string }
  | { readonly kind: "definition"; readonly name: string }
  | { readonly kind: "text" };

export interface ApiOperation {
  readonly method: ApiMethod;
  /** Unique within the API: `readCoreV1NamespacedPod`. */
  readonly id: string;
  readonly description: string;
  readonly tags: readonly string[];
  /** The verb, as the extension for it names it. */
  readonly action?: string | undefined;
  /** The kind of the operation's objects. */
  readonly subject?: GroupVersionKind | undefined;
  readonly deprecated?: boolean | undefined;
  readonly parameters: readonly ApiParameter[];
  readonly body?: { readonly of: ApiBody; readonly required: boolean } | undefined;
  readonly consumes: readonly string[];
  readonly produces: readonly string[];
  readonly responses: readonly ApiResponse[];
}

export interface ApiResponse {
  readonly code: number;
  readonly of?: ApiBody | undefined;
}
