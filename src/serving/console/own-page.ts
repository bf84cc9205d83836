import type { HttpExchange } from "../http/exchange.js";

/**
 * Whether a request comes from the console's own page, by headers that browsers set and pages cannot change. Another port of the same
 * host is another origin. A client other than a browser sends none of them, and is no risk: it has nobody's cookies.
 */
export function isOwnPage({ headers, host }: Pick<HttpExchange, "headers" | "host">): boolean {
  const { origin } = headers;
  if (origin !== undefined && origin !== `https://${host}`) return false;
  const site = headers["sec-fetch-site"];
  return site === undefined || site === "same-origin";
}
