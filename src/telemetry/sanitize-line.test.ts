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
  // Encoded for a URL, once or twice.
  ["body password%3Dswordfish%26a%3D1", "body password%3D[redacted]%26a%3D1"],
  ["?next=%2Fa%3Faccess_token%3Dswordfish&b=1", "?next=%2Fa%3Faccess_token%3D[redacted]&b=1"],
  [
    "%7B%22password%22%3A%22sword%20fish%22%2C%22a%22%3A1",
    "%7B%22password%22%3A%22[redacted]%22%2C%22a%22%3A1",
  ],
  ["token%253Dswordfish%2526a", "token%253D[redacted]%2526a"],
  ["https%3A%2F%2Fuser%3Aswordfish%40example.com%2Fa", "https%3A%2F%2F[redacted]%40example.com%2Fa"],
  ["header=Bearer%20swordfish123&a", "header=Bearer%20[redacted]&a"],
  [
    "-----BEGIN%20PRIVATE%20KEY-----%0AMHcCAQE%3D%0A-----END",
    "-----BEGIN%20PRIVATE%20KEY-----[redacted]-----END",
  ],
  // Values with spaces, quotes and separators in them.
  ['password="sword fish, or; none" a=1', 'password="[redacted]" a=1'],
  [String.raw`{"password":"sword\"fish","a":1}`, '{"password":"[redacted]","a":1}'],
  [
    String.raw`body="{\"password\":\"sword\\\"fish\",\"a\":1}"`,
    String.raw`body="{\"password\":\"[redacted]\",\"a\":1}"`,
  ],
  ["password=sword,fish;1 a", "password=[redacted] a"],
  ["https://user:sword@fish@example.com/a", "https://[redacted]@example.com/a"],
  ['{"token":12345,"a":1}', '{"token":[redacted],"a":1}'],
  ['"password":"unfinished swordfi', '"password":"[redacted]'],
  // Names of fields.
  ["clientSecret=swordfish", "clientSecret=[redacted]"],
  ["{BearerToken:swordfish User:jane}", "{BearerToken:[redacted] User:jane}"],
  ["client-key-data: c3dvcmRmaXNo", "client-key-data: [redacted]"],
  ["aws_secret_access_key=swordfish", "aws_secret_access_key=[redacted]"],
  ["passphrase: swordfish", "passphrase: [redacted]"],
  ['{"auths":{"a":{"auth":"dXNlcjpzd29yZGZpc2g="}}}', '{"auths":{"a":{"auth":"[redacted]"}}}'],
  ["curl --token swordfish --a b", "curl --token [redacted] --a b"],
  // Headers.
  ['cookie="session=swordfish; b=2" a=1', 'cookie="[redacted]" a=1'],
  ["Set-Cookie: session=swordfish; Secure", "Set-Cookie: [redacted]"],
  ["Authorization: Digest username=jane, response=swordfish", "Authorization: Digest [redacted]"],
  ["x-api-key: swordfish", "x-api-key: [redacted]"],
  // Tokens by their form.
  [
    "subprotocol base64url.bearer.authorization.example.io.c3dvcmRmaXNo",
    "subprotocol base64url.bearer.authorization.example.io.[redacted]",
  ],
  ["with token id 07401b.f395accd246ae52d now", "with token id 07401b.[redacted] now"],
])("%s is logged as %s", (line, clean) => {
  expect(sanitizeLine(line)).toBe(clean);
});

test.each([
  'HTTP verb="GET" URI="/api/v1/namespaces/default/secrets/token-a" latency="1ms" resp=200',
  "GET https://127.0.0.1:6443/api?a=b failed",
  "the secret of a service account's token could not be written",
  'HTTP verb="GET" URI="/api/v1/secrets?limit=500&resourceVersion=0" userAgent="a/b" user="system:serviceaccount:a:token"',
  'Trace[538320163]: "Create" url:/api/v1/namespaces/default/secrets (22-Nov-2026 10:42:23.284) (total time: 812ms):',
  "key=a monkey: b authorizations=3 0123ab.cdef",
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
    'token="',
    'token=\\\\"',
    "token%22%3A%22",
    "authorization: ",
    "https%3A%2F%2F",
    "--password ",
    "\\",
    "%5c",
    "%25",
    "25",
    "base64url.bearer.authorization.",
    "aaaaaa.aaaaaaaaaaaaaaa",
  ]) {
    const line = unit.repeat(20_000);
    expect(sanitizeLine(`token="${line}`).length).toBeLessThanOrEqual(line.length * 2);
  }
});
