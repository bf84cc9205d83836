import { fromHeader } from "../../apimachinery/requests/header-text.js";
import {
  type Authenticator,
  authenticated,
  type CredentialHeaders,
  noCredentials,
  rejected,
} from "./authenticator.js";
import type { ClientAuthorities } from "./certificates/client-authorities.js";
import { subjectOf } from "./certificates/presented-chain.js";

/** The headers in which a front proxy names the user. Header names in any case. */
export interface RequestHeaderNames {
  /** The first one with a value counts. */
  readonly username: readonly string[];
  readonly group: readonly string[];
  /** The first one with a value counts. */
  readonly uid?: readonly string[] | undefined;
  readonly extraPrefixes: readonly string[];
}

export interface RequestHeaderSettings extends RequestHeaderNames {
  /** CAs for front proxies only, not for other clients. */
  readonly authorities: ClientAuthorities;
  /** Common names of front proxies; empty for any. */
  readonly allowedNames: readonly string[];
  readonly now: () => Date;
}

/**
 * `--requestheader-*`: a front proxy with a certificate of its own authority names the user in headers. Without the certificate the
 * headers are ignored. Source: Kubernetes documentation, "Authenticating Proxy".
 */
export function createRequestHeaderAuthenticator(settings: RequestHeaderSettings): Authenticator {
  const { authorities, now } = settings;
  const names = lowerCase(settings);
  const allowed = new Set(settings.allowedNames);
  return {
    authenticate({ certificates, headers }) {
      if (certificates === undefined) return noCredentials;
      const verdict = authorities.verify(certificates, now().getTime());
      if (verdict.kind === "untrusted") return rejected(verdict.reason);
      if (allowed.size > 0) {
        const { commonName } = subjectOf(certificates.leaf);
        if (!allowed.has(commonName)) {
          return rejected(`x509: subject with cn=${commonName} is not in the allowed list`);
        }
      }
      const { name, uid, groups, extra } = readHeaders(headers, names);
      return name === undefined ? noCredentials : authenticated({ name, uid, groups, extra });
    },
  };
}

/** Recognizes the headers that name a user, which must not pass authentication. */
export function isRequestHeader(names: RequestHeaderNames): (name: string) => boolean {
  const { username, group, uid, extraPrefixes } = lowerCase(names);
  const whole = new Set([...username, ...group, ...uid]);
  return (name) => {
    const lower = name.toLowerCase();
    return whole.has(lower) || extraPrefixes.some((prefix) => lower.startsWith(prefix));
  };
}

function readHeaders(headers: CredentialHeaders, names: LowerCaseNames) {
  const usernames = new Map<string, string>();
  const uids = new Map<string, string>();
  const groups = new Map<string, string[]>(names.group.map((name) => [name, []]));
  const extra = new Map<string, string[]>();
  for (const [name, line] of headers.entries()) {
    const value = fromHeader(line);
    if (names.username.includes(name) && !usernames.has(name)) usernames.set(name, value);
    if (names.uid.includes(name) && !uids.has(name)) uids.set(name, value);
    if (value !== "") groups.get(name)?.push(value);
    for (const prefix of names.extraPrefixes) {
      if (!name.startsWith(prefix)) continue;
      const key = unescaped(name.slice(prefix.length));
      const values = extra.get(key);
      if (values === undefined) extra.set(key, [value]);
      else values.push(value);
    }
  }
  return {
    name: firstValue(names.username, usernames),
    uid: firstValue(names.uid, uids) ?? "",
    groups: [...groups.values()].flat(),
    extra: Object.fromEntries(extra),
  };
}

function firstValue(names: readonly string[], values: ReadonlyMap<string, string>): string | undefined {
  return names.map((name) => values.get(name)).find((value) => value !== undefined && value !== "");
}

/** Keys are percent-encoded, because header names allow few characters; a malformed key is used unchanged. */
export function unescaped(key: string): string {
  try {
    return decodeURIComponent(key);
  } catch {
    return key;
  }
}

interface LowerCaseNames extends RequestHeaderNames {
  readonly uid: readonly string[];
}

function lowerCase({ username, group, uid = [], extraPrefixes }: RequestHeaderNames): LowerCaseNames {
  const lower = (names: readonly string[]): string[] => [...new Set(names.map((name) => name.toLowerCase()))];
  return {
    username: lower(username),
    group: lower(group),
    uid: lower(uid),
    extraPrefixes: lower(extraPrefixes),
  };
}
