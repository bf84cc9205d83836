import { Buffer } from "node:buffer";

const plus = 0x2b;
const space = 0x20;

/**
 * The parameters of a query as clients send it. Node's parser joins a text at every plus sign, which takes a tenth of a second for a
 * megabyte of them, but it takes spaces as they are.
 */
export function parseQuery(query: string): URLSearchParams {
  if (!query.includes("+")) return new URLSearchParams(query);
  const bytes = Buffer.from(query);
  for (let at = bytes.indexOf(plus); at < bytes.length; at++) if (bytes[at] === plus) bytes[at] = space;
  return new URLSearchParams(bytes.toString());
}
