import type { ApiObject } from "../../apimachinery/objects/meta.js";
import type { Collections, InheritedCollections } from "../../storage/watchcache/inherited-collections.js";
import type { ServerPki } from "../pki/server-pki.js";

/** What servers in one process have in common. */
interface Shared {
  readonly pki: ServerPki;
}

/** What a server passes on to its forks. */
export interface Inheritance extends Shared {
  /** What its caches have in memory. */
  readonly collections: () => Promise<Collections<ApiObject>>;
}

/** What a fork has taken over. Its store has what every cluster has, as the first server left it. */
export interface Inherited extends Shared {
  /** Undefined when the two stores have different revisions. */
  readonly handedOver: InheritedCollections<ApiObject> | undefined;
}
