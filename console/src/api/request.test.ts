import { expect, test } from "vitest";
import { linesOf } from "./request.ts";

async function linesIn(chunks: readonly string[], charactersMax?: number): Promise<readonly string[]> {
  const bytes = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(bytes.encode(chunk));
      controller.close();
    },
  });
  const lines: string[] = [];
  for await (const line of linesOf(new Response(body), charactersMax)) lines.push(line);
  return lines;
}

test("lines are put together from what comes", async () => {
  expect(await linesIn(["a\nb", "c", "\n", "\nd"])).toEqual(["a", "bc", "", "d"]);
  expect(await linesIn(["a\n"])).toEqual(["a"]);
  expect(await linesIn([])).toEqual([]);
});

test("a line that does not end comes in parts where that is wanted", async () => {
  expect(await linesIn(["aaa", "aaa", "a\nb\n"], 5)).toEqual(["aaaaaa", "a", "b"]);
});
