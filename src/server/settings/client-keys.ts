/**
 * `rsa`: every client library can read such keys, but generating one takes a third of a second on another thread. `ec`: P-256, generated
 * at once.
 */
export type ClientKeys = "rsa" | "ec";
