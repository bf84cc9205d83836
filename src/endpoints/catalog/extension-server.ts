import type { JsonObject } from "../../apimachinery/json-value.js";
import type { ConnectTarget } from "../connect/connect-result.js";

/** Another API server that answers everything below `/apis/GROUP/VERSION`. */
export interface ExtensionServer {
  /** Where requests go at the moment; undefined while the server is not available. */
  target(): ConnectTarget | undefined;
  /** Its resources and subresources, as its own discovery named them last; for the aggregated document of this server. */
  readonly resources: readonly JsonObject[];
  /** The Swagger document that it gave last; of other paths than its own there may be more. */
  readonly swagger: JsonObject | undefined;
  /** The OpenAPI 3 document of its group version, where it has one. */
  readonly openApi3: Uint8Array | undefined;
}
