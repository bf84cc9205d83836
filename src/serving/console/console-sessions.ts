import { isSameSecret } from "../../access/authentication/same-secret.js";
import { tokenDigest } from "../../access/authentication/token-digest.js";
import type { UserInfo } from "../../apimachinery/requests/request-info.js";
import type { PeerCertificates } from "../http/exchange.js";
import { ExpiringMap } from "./expiring-map.js";

/**
 * The credential that the console sends with the user's requests. It is checked with each, so that the session ends with its token or
 * certificate.
 */
export type ConsoleCredential =
  | { readonly kind: "token"; readonly token: string }
  | { readonly kind: "certificate"; readonly certificates: PeerCertificates };

export interface ConsoleSession {
  readonly credential: ConsoleCredential;
  /** As authenticated at sign-in. */
  readonly user: UserInfo;
  readonly endsAtMs: number;
}

/** The two halves of a session: either is worth nothing without the other. */
export interface SessionKeys {
  /** In an HttpOnly cookie. Browsers send cookies to every port of a host. */
  readonly cookie: string;
  /** In the page's own storage, which belongs to one origin; sent in a header, which other sites' pages cannot set. */
  readonly page: string;
}

const linkLifeMs = 15 * 60 * 1000;
const sessionLifeMs = 12 * 3600 * 1000;
const bounds = { entriesMax: 1000, ofOwnerMax: 50 };

/** Sign-in links that are still valid, and open sessions. Keys are stored as digests. */
export class ConsoleSessions {
  readonly #links: ExpiringMap<ConsoleCredential>;
  readonly #sessions: ExpiringMap<{ readonly session: ConsoleSession; readonly pageDigest: string }>;
  readonly #randomKey: () => string;
  readonly #nowMs: () => number;

  /** `randomKey` returns a new secret that nobody can guess. */
  constructor(parts: { readonly randomKey: () => string; readonly nowMs: () => number }) {
    const { randomKey, nowMs } = parts;
    this.#links = new ExpiringMap({ ...bounds, lifeMs: linkLifeMs, nowMs });
    this.#sessions = new ExpiringMap({ ...bounds, lifeMs: sessionLifeMs, nowMs });
    this.#randomKey = randomKey;
    this.#nowMs = nowMs;
  }

  /** Issues a sign-in link for one session with this credential, valid for 15 minutes. `user`: who requested it. */
  issueLink(credential: ConsoleCredential, user: string): string {
    const key = this.#randomKey();
    this.#links.set(tokenDigest(key), user, credential);
    return key;
  }

  /** Undefined if the link does not exist, was used or has expired. */
  redeemLink(key: string): ConsoleCredential | undefined {
    return this.#links.take(tokenDigest(key));
  }

  open(credential: ConsoleCredential, user: UserInfo): { session: ConsoleSession; keys: SessionKeys } {
    const keys = { cookie: this.#randomKey(), page: this.#randomKey() };
    const session = { credential, user, endsAtMs: this.#nowMs() + sessionLifeMs };
    this.#sessions.set(tokenDigest(keys.cookie), user.name, { session, pageDigest: tokenDigest(keys.page) });
    return { session, keys };
  }

  /** Undefined unless both keys belong to one open session. */
  find(keys: Partial<SessionKeys>): ConsoleSession | undefined {
    const { cookie, page } = keys;
    if (cookie === undefined || page === undefined) return undefined;
    const found = this.#sessions.get(tokenDigest(cookie));
    return found !== undefined && isSameSecret(tokenDigest(page), found.pageDigest)
      ? found.session
      : undefined;
  }

  end(keys: Partial<SessionKeys>): void {
    if (this.find(keys) !== undefined) this.#sessions.take(tokenDigest(keys.cookie ?? ""));
  }
}
