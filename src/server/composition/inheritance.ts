import type { ApiObject } from "../../apimachinery/objects/meta.js";
import type { Collections, InheritedCollections } from "../../storage/watchcache/inherited-collections.js";
import type { ServerPki } from "../pki/server-pki.js";

/** What all servers in one process share. */
interface Shared {
  readonly pki: ServerPki;
}

/** What a server passes on to its forks. */
export interface Inheritance extends Shared {
  /** The contents of its caches. */
  readonly collections: () => Promise<Collections<ApiObject>>;
}

/** What a fork inherits. Its store was bootstrapped, or not, by the first server. */
export interface Inherited extends Shared {
  /** Undefined when the two stores have different revisions. */
  readonly inheritedCollections: InheritedCollections<ApiObject> | undefined;
}
