import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { boundedFile, boundedStream } from "./bounded-output.js";

const line = `${"x".repeat(1000)}\n`;
const missing = (count: number) => new RegExp(`^W \\S+ lines of the log are missing .* count=${count}\n`);

test("a log reader that stops costs a bounded amount of memory, and is told how many lines are missing", () => {
  const stream = new PassThrough({ writableHighWaterMark: 1, readableHighWaterMark: 1 });
  const output = boundedStream(stream);
  for (let i = 0; i < 5000; i++) output(line);
  expect(stream.writableLength).toBeLessThan(1024 * 1024);
  const read = readAll(stream);
  const dropped = 5000 - read.length / line.length;
  expect(dropped).toBeGreaterThan(3000);
  expect(read).toBe(line.repeat(5000 - dropped));
  output("next\n");
  const rest = readAll(stream);
  expect(rest).toMatch(missing(dropped));
  expect(rest.endsWith("\nnext\n")).toBe(true);
});

function readAll(stream: PassThrough): string {
  let read = "";
  for (let piece = stream.read(); piece !== null; piece = stream.read()) read += piece;
  return read;
}

test("a log reader that is gone costs nothing", async () => {
  const stream = new PassThrough();
  const output = boundedStream(stream);
  stream.destroy(new Error("EPIPE"));
  await new Promise((resolve) => stream.once("close", resolve));
  const { writableLength } = stream;
  for (let i = 0; i < 5000; i++) output(line);
  expect(stream.writableLength).toBe(writableLength);
});

test("a full disk costs the lines that it does not take", () => {
  let isFull = true;
  const written: string[] = [];
  const output = boundedFile((text) => {
    if (isFull) throw new Error("ENOSPC");
    written.push(text);
  });
  output("a\n");
  output("b\n");
  isFull = false;
  output("c\n");
  expect(written).toEqual([expect.stringMatching(missing(2)), "c\n"]);
});
