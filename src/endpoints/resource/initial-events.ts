/**
 * What a server makes of `sendInitialEvents`: nothing; a refusal; a watch that begins with the current state and a bookmark after it; or
 * that too by default for a watch which names no version.
 */
export type InitialEvents = "unknown" | "forbidden" | "allowed" | "implied";
