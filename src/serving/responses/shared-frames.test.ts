import { expect, test } from "vitest";
import { SharedFrames } from "./shared-frames.js";

const a = Buffer.from("aaa\n");
const b = Buffer.from("bb\n");

test("a chunk holds the events between its length and CRLF", () => {
  const frames = new SharedFrames();
  expect(frames.chunk([a]).toString()).toBe("4\r\naaa\n\r\n");
  expect(frames.chunk([a, b]).toString()).toBe("7\r\naaa\nbb\n\r\n");
  expect(
    frames
      .chunk([Buffer.alloc(300)])
      .subarray(0, 5)
      .toString(),
  ).toBe("12c\r\n");
});

test("joined events are the events; one alone is not copied", () => {
  const frames = new SharedFrames();
  expect(frames.joined([a])).toBe(a);
  expect(frames.joined([a, b]).toString()).toBe("aaa\nbb\n");
});

test("the same events give the same bytes, whatever list holds them", () => {
  const frames = new SharedFrames();
  expect(frames.chunk([a, b])).toBe(frames.chunk([a, b]));
  expect(frames.joined([a, b])).toBe(frames.joined([a, b]));
  expect(frames.chunk([a, b]).equals(frames.chunk([a]))).toBe(false);
  // Equal contents are not the same event.
  expect(frames.chunk([a, Buffer.from("c\n")]).toString()).toBe("6\r\naaa\nc\n\r\n");
  const kept = frames.chunk([a]);
  frames.clear();
  expect(frames.chunk([a])).not.toBe(kept);
});

test("many different batches give their own bytes", () => {
  const frames = new SharedFrames();
  for (let i = 0; i < 100; i++) {
    expect(frames.chunk([Buffer.from(`${i}`)]).toString()).toBe(`${`${i}`.length}\r\n${i}\r\n`);
  }
});
