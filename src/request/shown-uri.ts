const masked = "<masked>";
const tokenParameter = "access_token";
/** A parameter whose name may be the token's in another spelling. */
const encodedName = /[?&][^=&]*%/;

/** A request's path and query as a log may show it: some clients put a token into the query. */
export function shownUri(uri: string): string {
  if (!uri.includes(tokenParameter) && !encodedName.test(uri)) return uri;
  return uri.replace(/([?&]([^=&]*)=)[^&]*/g, (parameter, start: string, name: string) =>
    isToken(name) ? `${start}${masked}` : parameter,
  );
}

function isToken(name: string): boolean {
  return new URLSearchParams(`${name}=`).has(tokenParameter);
}
