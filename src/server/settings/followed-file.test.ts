import { mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { FollowedFile } from "./followed-file.js";

test("a changed file is taken over once, and a refused or missing one reported once", async () => {
  const directory = mkdtempSync(join(tmpdir(), "followed-"));
  const file = join(directory, "file");
  const taken: string[] = [];
  const problems: string[] = [];
  writeFileSync(file, "a");
  const followed = new FollowedFile(Buffer.from("a"), {
    file,
    intervalMs: 2,
    async onChange(content) {
      const text = content.toString();
      if (text === "bad") throw new Error("bad content");
      taken.push(text);
    },
    onProblem: (error) => problems.push(String(error)),
  });
  writeFileSync(`${file}.new`, "b");
  renameSync(`${file}.new`, file);
  await expect.poll(() => taken).toEqual(["b"]);
  writeFileSync(`${file}.new`, "bad");
  renameSync(`${file}.new`, file);
  await expect.poll(() => problems).toEqual(["Error: bad content"]);
  rmSync(file);
  await expect.poll(() => problems.length).toBe(2);
  writeFileSync(`${file}.new`, "c");
  renameSync(`${file}.new`, file);
  await expect.poll(() => taken).toEqual(["b", "c"]);
  await followed.close();
  expect(problems[1]).toContain("ENOENT");
  expect(problems).toHaveLength(2);
  rmSync(directory, { recursive: true });
});
