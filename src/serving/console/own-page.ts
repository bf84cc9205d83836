import type { HttpExchange } from "../http/exchange.js";

/**
 * Whether a request comes from the console's own page, by headers that a browser sets and no page can change. Another port of the same host
 * is another origin. A client that is no browser sends none, and is no danger: it carries nobody's cookies.
 */
export function isOwnPage({ headers, host }: Pick<HttpExchange, "headers" | "host">): boolean {
  const { origin } = headers;
  if (origin !== undefined && origin !== `https://${host}`) return false;
  const site = headers["sec-fetch-site"];
  return site === undefined || site === "same-origin";
}
