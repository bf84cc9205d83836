/** `rsa`: any client library reads them; in another thread, one takes a third of a second. `ec`: P-256, which takes no time. */
export type ClientKeys = "rsa" | "ec";
