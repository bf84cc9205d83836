import { expect, test } from "vitest";
import { fromHeader, toHeader } from "./header-text.js";

test.each(["jane", "", "Jörg", "Žofie", "名前", "👋"])("%j goes through a header", (text) => {
  const value = toHeader(text);
  expect(value).toMatch(/^[\u0020-\u007e\u0080-\u00ff]*$/);
  expect(fromHeader(value)).toBe(text);
});

test("bytes that are no UTF-8 are replaced", () => {
  expect(fromHeader("J\u00f6rg")).toBe("J\ufffdrg");
});
