import type { IncomingMessage } from "node:http";

/** A decoded path as Go's `URL.EscapedPath` writes it. */
export function escapePath(path: string): string {
  return encodeURI(path).replace(
    /[?#!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/** The part of the client's path before the other server's path: redirects must stay below it. */
export function pathBefore(clientPath: string, path: string): string {
  const suffix = clientPath.endsWith("/") && !path.endsWith("/") ? `${path}/` : path;
  return clientPath.endsWith(suffix) ? clientPath.slice(0, clientPath.length - suffix.length) : clientPath;
}

/**
 * The `Location` of a redirect as seen by the client. Redirects to another host and relative ones are unchanged. Source: Kubernetes'
 * `proxyutil.Transport`.
 */
export function rewriteLocation(
  location: string,
  from: { readonly host: string; readonly clientHost: string; readonly prefix: string },
): string {
  const { host, clientHost, prefix } = from;
  const absolute = /^(?:[a-z][a-z0-9+.-]*:)?\/\/([^/?#]*)/i.exec(location);
  if (absolute !== null && absolute[1] !== host && absolute[1] !== clientHost) return location;
  const rest = absolute === null ? location : location.slice(absolute[0].length);
  if (!rest.startsWith("/")) return location;
  const [path = ""] = rest.split(/[?#]/, 1);
  if (path.startsWith(prefix)) return rest;
  return `${prefix}${rest}`;
}

/** The URL whose answer was a redirect. */
export function locationOf(response: IncomingMessage): string | undefined {
  const { location } = response.headers;
  return location === undefined || location === "" ? undefined : location;
}
