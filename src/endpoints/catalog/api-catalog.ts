import type { JsonObject } from "../../apimachinery/json/json-value.js";
import type { ApiObject } from "../../apimachinery/objects/meta.js";
import type { ResourceDefinition, VersionDefinition } from "../../apis/definition/resource-definition.js";
import type { ConnectHandler } from "../connect/connect-handler.js";
import type { OperationHandler } from "../resource/operation.js";
import type { ResourceEndpoint } from "../resource/resource-endpoint.js";
import type { ExtensionServer } from "./extension-server.js";

/** A resource in one version, as it is served. */
export interface ServedResource {
  readonly definition: ResourceDefinition;
  readonly version: VersionDefinition;
  /** The warning for clients of a deprecated version; undefined for all others. */
  readonly deprecationWarning?: string | undefined;
  /** The audit annotation of its requests. */
  readonly deprecationAnnotations?: ReadonlyMap<string, string> | undefined;
  /** Undefined for virtual resources, which only have `operations`. */
  readonly endpoint: ResourceEndpoint<ApiObject> | undefined;
  /** By verb for the resource itself (`create` of a virtual one), by `subresource` and `subresource/verb` below it. */
  readonly operations: ReadonlyMap<string, OperationHandler>;
  /** Subresources that another server answers: `subresource/verb`, or `subresource` for any method. */
  readonly connections?: ReadonlyMap<string, ConnectHandler> | undefined;
  /** OpenAPI 3 schema of a kind without a declared type. Computed on each access, so that it is not kept in memory. */
  readonly schema?: (() => JsonObject) | undefined;
  /** See `OfferedVersion`. */
  readonly fingerprint?: (() => string) | undefined;
}

export interface ServedVersion {
  readonly version: string;
  /** By plural name, in the order of discovery. */
  readonly resources: ReadonlyMap<string, ServedResource>;
  /** Set when another server serves the version, which then has no `resources`. */
  readonly extension?: ExtensionServer | undefined;
}

export interface ServedGroup {
  /** Empty for core. */
  readonly group: string;
  /** The preferred one first. */
  readonly versions: readonly ServedVersion[];
}

/** Everything the resource API serves. Changes when custom resources come and go. */
export interface ApiCatalog {
  /** In the order of discovery; the same array until something changes. */
  groups(): readonly ServedGroup[];
  /** One group; the empty name is core. */
  group(name: string): ServedGroup | undefined;
  find(group: string, version: string, resource: string): ServedResource | undefined;
  /** The extension server that serves a version instead of this server. */
  extension?(group: string, version: string): ExtensionServer | undefined;
}
