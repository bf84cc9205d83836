/** Parts of a URL: scheme, authority, path, query, fragment. Source: RFC 3986 appendix B. */
export const urlParts =
  /^(?:([A-Za-z][A-Za-z0-9+.-]*):)?(?:\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/s;

/** Why a text is not a URL, in Go's words; undefined when it is one. */
export function urlProblem(url: string): string | undefined {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  if (/[\u0000-\u001f\u007f]/.test(url)) return "net/url: invalid control character in URL";
  if (url.startsWith(":")) return "missing protocol scheme";
  const badEscape = /%(?![0-9A-Fa-f]{2})/.exec(url);
  if (badEscape !== null)
    return `invalid URL escape ${JSON.stringify(url.slice(badEscape.index, badEscape.index + 3))}`;
  const [, scheme, authority] = urlParts.exec(url) ?? [];
  if (scheme === undefined && authority === undefined && /^[^/?#]*:/.test(url)) {
    return "first path segment in URL cannot contain colon";
  }
  const host = (authority ?? "").slice((authority ?? "").lastIndexOf("@") + 1);
  const port = /:([^:\]]*)$/.exec(host)?.[1];
  if (port !== undefined && !/^\d*$/.test(port))
    return `invalid port ${JSON.stringify(`:${port}`)} after host`;
  const badCharacter = /[ \\^`{|}]/.exec(host)?.[0];
  return badCharacter === undefined
    ? undefined
    : `invalid character ${JSON.stringify(badCharacter)} in host name`;
}

/** Whether a text may be the target of an HTTP request: an absolute URL, an absolute path, or `*`. */
export function isRequestUri(text: string): boolean {
  if (text === "*") return true;
  const scheme = urlParts.exec(text)?.[1];
  const isAbsolute = text.startsWith("/") || (scheme !== undefined && text.length > scheme.length + 1);
  return isAbsolute && urlProblem(text) === undefined;
}
