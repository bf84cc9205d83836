import { expect, test } from "vitest";
import { parseTarget } from "./request-target.js";

test.each([
  ["/", "/", ""],
  ["/a/b", "/a/b", ""],
  ["/a?x=1&y=?2", "/a", "x=1&y=?2"],
  ["/a?", "/a", ""],
  ["/a//b%2F", "/a//b%2F", ""],
  ["//a/b", "//a/b", ""],
  ["https://host:6443/a?b", "/a", "b"],
  ["HTTP://host", "/", ""],
  ["http://host?q", "/", "q"],
  ["*", "*", ""],
])("%s", (sent, path, query) => {
  expect(parseTarget(sent)).toMatchObject({ path, query });
});
