import { createHash } from "node:crypto";

/** Caches identify tokens by digest, so that neither memory nor timing reveals one. */
export function tokenDigest(token: string): string {
  return createHash("sha256").update(token).digest("base64");
}

/**
 * The digest of the last token that one connection presented, since a client sends the same one with every request. A token is only
 * compared with others of the same connection.
 */
export class LastDigest {
  #token = "";
  #digest = "";

  of(token: string): string {
    if (token !== this.#token || this.#digest === "") {
      this.#digest = tokenDigest(token);
      this.#token = token;
    }
    return this.#digest;
  }
}
