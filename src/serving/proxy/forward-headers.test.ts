import type { IncomingMessage } from "node:http";
import { expect, test } from "vitest";
import { responseHeaders } from "./forward-headers.js";

function answerWith(...rawHeaders: string[]): IncomingMessage {
  return { headers: {}, rawHeaders } as unknown as IncomingMessage; // what is read of it
}

test("headers of an answer are passed on with all their values, except those for one connection", () => {
  const answer = answerWith("Set-Cookie", "a", "Upgrade", "h2c", "Set-Cookie", "b", "X-More", "c");
  expect(responseHeaders(answer)).toEqual({ "Set-Cookie": ["a", "b"], "X-More": ["c"] });
});

test("a header may have the name of a member of every object", () => {
  const answer = answerWith("constructor", "a", "toString", "b", "__proto__", "c");
  expect(Object.entries(responseHeaders(answer))).toEqual([
    ["constructor", ["a"]],
    ["toString", ["b"]],
    ["__proto__", ["c"]],
  ]);
});
