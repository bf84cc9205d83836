import type { JsonObject } from "../../apimachinery/json/json-value.js";
import type { ConnectTarget } from "../connect/connect-result.js";

/** Another API server that serves everything below `/apis/GROUP/VERSION`. */
export interface ExtensionServer {
  /** The current destination of requests; undefined while the server is not available. */
  target(): ConnectTarget | undefined;
  /** Its resources and subresources according to its latest discovery, for the aggregated discovery document. */
  readonly resources: readonly JsonObject[];
  /** The same from its own aggregated discovery, if it has that. */
  readonly aggregated?: readonly JsonObject[] | undefined;
  /** Its latest Swagger document, which may contain other paths too. */
  readonly swagger: JsonObject | undefined;
  /** The OpenAPI 3 document of its group version, if there is one. */
  readonly openApi3: Uint8Array | undefined;
}
