import { createHash } from "node:crypto";

/** Caches know tokens by their digests, so that neither memory nor timing reveals one. */
export function tokenDigest(token: string): string {
  return createHash("sha256").update(token).digest("base64");
}

/**
 * The digest of the last token that one connection presented: a client sends the same with every request. Only what comes from the same
 * connection is compared with the token.
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
