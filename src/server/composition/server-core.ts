import type { ComposedEndpoints } from "../endpoints/compose-endpoints.js";
import type { Foundation } from "../foundation/foundation.js";
import type { Lifecycle } from "../lifecycle/lifecycle.js";
import type { ServerAccess } from "./server-access.js";

/** What requests finally reach with all below it: what both the controllers of a server and its filters are made of. */
export interface ServerCore extends Foundation, ComposedEndpoints<ServerAccess> {
  readonly lifecycle: Lifecycle;
}
