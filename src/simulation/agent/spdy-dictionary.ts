import { Buffer } from "node:buffer";

/** The dictionary that compresses header blocks: the SPDY draft (draft-mbelshe-httpbis-spdy-00), section 2.6.10.1. */

const names = [
  "options head post put delete trace accept accept-charset accept-encoding accept-language accept-ranges age allow",
  "authorization cache-control connection content-base content-encoding content-language content-length",
  "content-location content-md5 content-range content-type date etag expect expires from host if-match",
  "if-modified-since if-none-match if-range if-unmodified-since last-modified location max-forwards pragma",
  "proxy-authenticate proxy-authorization range referer retry-after server te trailer transfer-encoding upgrade",
  "user-agent vary via warning www-authenticate method get status",
]
  .join(" ")
  .split(" ");

const counted = [
  ...names,
  "200 OK",
  "version",
  "HTTP/1.1",
  "url",
  "public",
  "set-cookie",
  "keep-alive",
  "origin",
];

const codes = [
  ..."100 101 201 202 205 206 300 302 303 304 305 306 307 402 405 406 407 408 409 410 411 412 413 414 415 416".split(
    " ",
  ),
  ..."417 502 504 505".split(" "),
  "203 Non-Authoritative Information",
  "204 No Content",
  "301 Moved Permanently",
  "400 Bad Request",
  "401 Unauthorized",
  "403 Forbidden",
  "404 Not Found",
  "500 Internal Server Error",
  "501 Not Implemented",
  "503 Service Unavailable",
];

const rest =
  "Jan Feb Mar Apr May Jun Jul Aug Sept Oct Nov Dec 00:00:00 Mon, Tue, Wed, Thu, Fri, Sat, Sun, GMT" +
  "chunked,text/html,image/png,image/jpg,image/gif,application/xml,application/xhtml+xml,text/plain," +
  "text/javascript,publicprivatemax-age=gzip,deflate,sdchcharset=utf-8charset=iso-8859-1,utf-,*,enq=0.";

export const spdyDictionary = Buffer.concat([
  ...counted.flatMap((name) => [Buffer.from([0, 0, 0, name.length]), Buffer.from(name)]),
  Buffer.from(codes.join("") + rest),
]);
