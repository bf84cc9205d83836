import { expect, test } from "vitest";
import { sanitizeLine } from "./sanitize-line.js";

test.each([
  ["GET https://user:swordfish@example.com/a failed", "GET https://[redacted]@example.com/a failed"],
  ["header Authorization: Bearer swordfish123", "header Authorization: Bearer [redacted]"],
  ['body="{\\"password\\":\\"swordfish\\",\\"a\\":1}"', 'body="{\\"password\\":\\"[redacted]\\",\\"a\\":1}"'],
  ["client_secret=swordfish&x=1", "client_secret=[redacted]&x=1"],
  ["got eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJhIn0.c2lnbmF0dXJl back", "got [redacted] back"],
  [
    "-----BEGIN EC PRIVATE KEY-----\nMHcCAQEEIHl\n-----END EC PRIVATE KEY-----",
    "-----BEGIN EC PRIVATE KEY-----[redacted]-----END EC PRIVATE KEY-----",
  ],
])("%s is logged as %s", (line, clean) => {
  expect(sanitizeLine(line)).toBe(clean);
});

test.each([
  'HTTP verb="GET" URI="/api/v1/namespaces/default/secrets/token-a" latency="1ms" resp=200',
  "GET https://127.0.0.1:6443/api?a=b failed",
  "the secret of a service account's token could not be written",
])("%s stays as it is", (line) => {
  expect(sanitizeLine(line)).toBe(line);
});

test("a long line takes time in proportion to its length", () => {
  for (const unit of [
    "password=",
    "bearer ",
    "eyJaaaaaaaaa",
    "a://b",
    "-----BEGIN PRIVATE KEY-----",
    "token-",
  ]) {
    expect(sanitizeLine(unit.repeat(20_000)).length).toBeGreaterThan(0);
  }
});
