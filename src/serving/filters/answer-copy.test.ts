import { expect, test } from "vitest";
import { RecordedExchange } from "../responses/testing/recorded-exchange.js";
import { AnswerCopy, type CopiedAnswer } from "./answer-copy.js";

test("a streamed answer is copied up to the limit, and its writer learns when bytes were taken", () => {
  const inner = new RecordedExchange({ target: "/api/v1/pods" });
  const copy: CopiedAnswer = { headers: {}, pieces: [], bytes: 0 };
  const stream = new AnswerCopy(inner, copy, 4).startStream(200, { "Content-Type": "text/plain" });
  const taken: string[] = [];
  const reused = Buffer.from("abc");
  stream.write(reused, () => {
    taken.push("first");
    reused.fill("x");
  });
  stream.write(Buffer.from("def"), () => taken.push("second"));
  stream.end();
  expect(inner.body.toString()).toBe("abcdef");
  expect(taken).toEqual(["first", "second"]);
  expect(copy).toEqual({
    headers: { "Content-Type": "text/plain" },
    pieces: [Buffer.from("abc"), Buffer.from("d")],
    bytes: 6,
  });
});
