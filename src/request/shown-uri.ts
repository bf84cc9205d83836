const masked = "<masked>";

/**
 * Each character of the parameter's name, literally or encoded. One expression for all, because checking each parameter would take long.
 */
const tokenName = [..."access_token"]
  .map((char) => {
    const code = char.charCodeAt(0).toString(16);
    return `(?:${char}|%${code}|%${code.toUpperCase()})`;
  })
  .join("");
const tokenParameter = new RegExp(`([?&]${tokenName}=)[^&]*`, "g");

/** A request's path and query as a log may show it: some clients put a token into the query. */
export function shownUri(uri: string): string {
  return uri.replace(tokenParameter, `$1${masked}`);
}
