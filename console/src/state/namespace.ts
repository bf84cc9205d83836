import { signal } from "@preact/signals";

/** The namespace that lists show; empty for all. */
export const namespace = signal("");
