import { signal } from "@preact/signals";

export const labIsServed = signal(false);
