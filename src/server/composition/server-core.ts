import type { ComposedEndpoints } from "../endpoints/compose-endpoints.js";
import type { Foundation } from "../foundation/foundation.js";
import type { Lifecycle } from "../lifecycle/lifecycle.js";
import type { ServerAccess } from "./server-access.js";

/**
 * The registries and endpoints, with the foundation below them: the parts that both the controllers and the request filters are created
 * from.
 */
export interface ServerCore extends Foundation, ComposedEndpoints<ServerAccess> {
  readonly lifecycle: Lifecycle;
}
