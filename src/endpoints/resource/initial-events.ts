import type { QueryParameters } from "../../request/query-parameters.js";
import { queryFlagIfGiven } from "./query-options.js";

/**
 * How a server treats `sendInitialEvents`: as unknown; refused; as a watch that begins with the current state and then a bookmark; or
 * that also by default, for a watch without a resourceVersion.
 */
export type InitialEvents = "unknown" | "forbidden" | "allowed" | "implied";

/** The parameter, if the server knows it. */
export function sendInitialEventsOf(
  query: QueryParameters,
  initialEvents: InitialEvents,
): boolean | undefined {
  return initialEvents === "unknown" ? undefined : queryFlagIfGiven(query, "sendInitialEvents");
}
