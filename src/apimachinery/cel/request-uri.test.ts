import { expect, test } from "vitest";
import { hostnameOf, parseRequestUri, parseUrl, portOf, queryValues } from "./request-uri.js";

test.each([
  ["https://user:pass@Example.com:80/a?b=c", "https", "Example.com:80", "Example.com", "80", "/a"],
  ["HTTPS://[fe80::1%25eth0]:443/", "https", "[fe80::1%eth0]:443", "fe80::1%eth0", "443", "/"],
  ["https://a", "https", "a", "a", "", ""],
  ["https://a/b/../c//d", "https", "a", "a", "", "/b/../c//d"],
  ["https://a/b c/é", "https", "a", "a", "", "/b%20c/%C3%A9"],
  ["https://a/b%2Fc#d", "https", "a", "a", "", "/b/c%23d"],
  ["https://a/b%2Fc", "https", "a", "a", "", "/b%2Fc"],
  ["https://münchen.de/", "https", "münchen.de", "münchen.de", "", "/"],
  ["mailto:a@b.c", "mailto", "", "", "", ""],
  ["file:///etc/hosts", "file", "", "", "", "/etc/hosts"],
  ["//host/path", "", "", "", "", "//host/path"],
  ["/path", "", "", "", "", "/path"],
  ["*", "", "", "", "", "*"],
])("%s is taken as it is written", (text, scheme, host, hostname, port, path) => {
  const uri = parseRequestUri(text);
  expect([uri.scheme, uri.host, hostnameOf(uri), portOf(uri), uri.escapedPath]).toEqual([
    scheme,
    host,
    hostname,
    port,
    path,
  ]);
});

test.each([
  ["", "empty url"],
  ["a/b", "invalid URI for request"],
  [":a", "missing protocol scheme"],
  ["/a\tb", "net/url: invalid control character in URL"],
  ["https://a/%zz", 'invalid URL escape "%zz"'],
  ["https://a/%", 'invalid URL escape "%"'],
  ["https://a b/", 'invalid character " " in host name'],
  ["https://a#b", 'invalid character "#" in host name'],
  ["https://a\\b/", 'invalid character "\\\\" in host name'],
  ["https://a%41/", 'invalid URL escape "%41"'],
  ["https://a:b/", 'invalid port ":b" after host'],
  ["https://[::1/", "missing ']' in host"],
  ["https://[::1]80/", 'invalid port "80" after host'],
  ["https://a<b@c/", "net/url: invalid userinfo"],
])("%j is refused", (text, problem) => {
  expect(() => parseRequestUri(text)).toThrow(problem);
});

test("settings of a query keep their order, and those that cannot be read are left out", () => {
  const uri = parseRequestUri("https://a/?a=1&b+c=%20d&a=2&e;f=1&g=%zz&&h");
  expect([...queryValues(uri)]).toEqual([
    ["a", ["1", "2"]],
    ["b c", [" d"]],
    ["h", [""]],
  ]);
});

test.each([
  ["HTTPS://a/b c", "https://a/b%20c", true],
  ["https://a/?", "https://a/", false],
  ["https://a/", "https://a", false],
  ["https://a@b/", "https://b/", false],
])("%s equals %s: %s", (a, b, expected) => {
  expect(parseRequestUri(a).key === parseRequestUri(b).key).toBe(expected);
});

test.each([
  ["https://a/b%2Fc?d=e#f?g", "a", "/b%2Fc", "d=e"],
  ["https://a/#", "a", "/", ""],
  ["//host/path#part", "host", "/path", ""],
  ["///path", "", "///path", ""],
  ["/a#b", "", "/a", ""],
  ["https://a/b", "a", "/b", ""],
])("%s is read with its fragment", (text, host, path, query) => {
  const uri = parseUrl(text);
  expect([uri.host, uri.escapedPath, uri.query]).toEqual([host, path, query]);
});

test("URLs with different fragments are different", () => {
  expect(parseUrl("/a#b").key).not.toBe(parseUrl("/a#c").key);
  expect(parseUrl("/a#").key).toBe(parseUrl("/a").key);
});

test.each([
  ["a#b", "invalid URI for request"],
  ["https://a#b", 'invalid character "#" in host name'],
  ["https://a?#%zz", 'invalid URL escape "%zz"'],
])("the reference %j is refused", (text, problem) => {
  expect(() => parseUrl(text)).toThrow(problem);
});
