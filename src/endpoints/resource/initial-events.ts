/**
 * What `sendInitialEvents` means to a server: nothing; a refusal; that a watch begins with the current state and a bookmark after it; or also
 * that a watch which names no version has it by default.
 */
export type InitialEvents = "unknown" | "forbidden" | "allowed" | "implied";
