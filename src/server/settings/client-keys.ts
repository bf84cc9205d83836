/** `rsa`: every client library can read such keys, but making one keeps another thread busy for a third of a second. `ec`: P-256, made at once. */
export type ClientKeys = "rsa" | "ec";
