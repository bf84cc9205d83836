import { expect, test } from "vitest";
import { shownUri } from "./shown-uri.js";

test.each([
  ["/api?access_token=swordfish&watch=1", "/api?access_token=<masked>&watch=1"],
  ["/api?a=1&access%5Ftoken=swordfish", "/api?a=1&access%5Ftoken=<masked>"],
  ["/api?%61ccess_token=swordfish", "/api?%61ccess_token=<masked>"],
  ["/api?access_token=one&access_token=two", "/api?access_token=<masked>&access_token=<masked>"],
  ["/api?labelSelector=a%3Db&limit=1", "/api?labelSelector=a%3Db&limit=1"],
  ["/api?%zz=1&access_token=a", "/api?%zz=1&access_token=<masked>"],
  ["/api/access_token", "/api/access_token"],
])("%s is shown as %s", (uri, shown) => {
  expect(shownUri(uri)).toBe(shown);
});

test.each(["?", "?%=&", "%a=&", "&access_toke"])("a megabyte of %s is shown as it is", (part) => {
  const uri = `/api?${part.repeat(2 ** 20 / part.length)}`;
  expect(shownUri(uri)).toBe(uri);
});
