import type { QueryParameters } from "../../request/query-parameters.js";
import { queryFlagIfGiven } from "./query-options.js";

/**
 * What a server makes of `sendInitialEvents`: nothing; a refusal; a watch that begins with the current state and a bookmark after it; or
 * that too by default for a watch which names no version.
 */
export type InitialEvents = "unknown" | "forbidden" | "allowed" | "implied";

/** The parameter, where the server knows it. */
export function sendInitialEventsOf(
  query: QueryParameters,
  initialEvents: InitialEvents,
): boolean | undefined {
  return initialEvents === "unknown" ? undefined : queryFlagIfGiven(query, "sendInitialEvents");
}
