import {
  type Authenticated,
  authenticated,
  digestOf,
  noCredentials,
  type TokenMechanism,
} from "./authenticator.js";
import { tokenDigest } from "./token-digest.js";

/**
 * `--token-auth-file`: lines of `token,user,uid,"group1,group2"`, the groups optional. A line without a token is ignored, and of two with
 * the same token the later one counts; `warn` reports both. Throws an `Error` that names the line; never its token.
 */
export function createTokenFileMechanism(text: string, warn: (problem: string) => void): TokenMechanism {
  // Looked up by hash, so that timing reveals nothing about the tokens.
  const users = new Map<string, Authenticated>();
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (line.trim() === "") continue;
    const fields = parseCsvLine(line);
    if (fields === undefined || fields.length < 3) {
      throw new Error(`token file: line ${index + 1}: expected token,user,uid[,"group1,group2"]`);
    }
    const [token = "", name = "", uid = "", groups = ""] = fields;
    if (token === "") {
      warn(`token file: line ${index + 1}: the token is empty`);
      continue;
    }
    const key = tokenDigest(token);
    if (users.has(key)) warn(`token file: line ${index + 1}: the token stands in an earlier line too`);
    users.set(
      key,
      authenticated({
        name,
        uid,
        groups: groups === "" ? [] : groups.split(",").map((g) => g.trim()),
        extra: {},
      }),
    );
  }
  return {
    authenticate(token, question) {
      return users.get(digestOf(token, question)) ?? noCredentials;
    },
  };
}

/** RFC 4180: fields may be quoted, a quote inside is doubled. Undefined for quotes elsewhere. */
function parseCsvLine(line: string): string[] | undefined {
  const fields: string[] = [];
  let at = 0;
  for (;;) {
    if (line[at] === '"') {
      const end = closingQuote(line, at + 1);
      if (end < 0) return undefined;
      fields.push(line.slice(at + 1, end).replaceAll('""', '"'));
      at = end + 1;
    } else {
      const comma = line.indexOf(",", at);
      const end = comma < 0 ? line.length : comma;
      const field = line.slice(at, end);
      if (field.includes('"')) return undefined;
      fields.push(field.trim());
      at = end;
    }
    if (at >= line.length) return fields;
    if (line[at] !== ",") return undefined;
    at++;
  }
}

function closingQuote(line: string, from: number): number {
  for (let at = from; at < line.length; at++) {
    if (line[at] !== '"') continue;
    if (line[at + 1] !== '"') return at;
    at++;
  }
  return -1;
}
