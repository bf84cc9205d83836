import { expect, test } from "vitest";
import { smallAnswer } from "./small-answer.js";

test("an answer is its head in Latin-1, the date and its body in UTF-8", () => {
  const answer = smallAnswer(201, ["X-Author", "Zoë", "Content-Length", "5"], "Zoë\n", 5);
  const [head = "", body] = answer?.toString("latin1").split("\r\n\r\n") ?? [];
  const [status, author, length, date = "", ...others] = head.split("\r\n");
  expect([status, author, length]).toEqual(["HTTP/1.1 201 Created", "X-Author: Zoë", "Content-Length: 5"]);
  expect(new Date(date.replace("Date: ", "")).toUTCString()).toBe(date.replace("Date: ", ""));
  expect(others).toEqual([]);
  expect(Buffer.from(body ?? "", "latin1").toString()).toBe("Zoë\n");
});

test.for([
  ["ends its line", ["A", "b\r\nC: d"]],
  ["ends its line once its bits are cut", ["A", "b\u{10d}\u{10a}C: d"]],
  ["has a name that ends its line", ["A: b\r\nC", "d"]],
  ["holds a NUL", ["A", "b\0"]],
] as const)("a header that %s is left to node:http", ([, headers]) => {
  expect(smallAnswer(200, headers, "", 0)).toBeUndefined();
});

test("a body that does not fit into a record of TLS is left to node:http", () => {
  expect(smallAnswer(200, [], new Uint8Array(16 * 1024), 16 * 1024)).toBeUndefined();
});
