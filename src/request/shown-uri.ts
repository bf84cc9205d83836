const masked = "<masked>";

/** A request's path and query as a log may show it: some clients put a token into the query. */
export function shownUri(uri: string): string {
  return uri.includes("access_token") ? uri.replace(/(access_token=)[^&]*/g, `$1${masked}`) : uri;
}
