import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openContext } from "../../serving/request/open-context.js";
import { RecordedExchange } from "../../serving/responses/testing/recorded-exchange.js";
import { logFileRoutes } from "./log-file-routes.js";

let directory: string;
let folder: string;
const long = "line\n".repeat(40_000);

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), "log-files-"));
  folder = join(directory, "log");
  mkdirSync(join(folder, "apt"), { recursive: true });
  writeFileSync(join(directory, "secret"), "password");
  mkdirSync(join(directory, "log-of-others"));
  writeFileSync(join(directory, "log-of-others", "secret"), "password");
  writeFileSync(join(folder, "system.log"), long);
  writeFileSync(join(folder, "empty"), "");
  writeFileSync(join(folder, "data"), Buffer.from([1, 0, 2]));
  writeFileSync(join(folder, "a: <b>&.html"), "<script>alert(1)</script>");
  writeFileSync(join(folder, "apt", "term.log"), "installed");
  symlinkSync("system.log", join(folder, "newest"));
  symlinkSync("../secret", join(folder, "leading-out"));
  symlinkSync(directory, join(folder, "above"));
  symlinkSync("../log-of-others", join(folder, "beside"));
  symlinkSync("loop", join(folder, "loop"));
  execFileSync("mkfifo", [join(folder, "pipe")]);
});

afterAll(() => rmSync(directory, { recursive: true }));

async function ask(target: string, method = "GET"): Promise<RecordedExchange> {
  const exchange = new RecordedExchange({ target, method });
  const path = target === "/logs" ? target : "/logs/*";
  const route = logFileRoutes(folder).find((each) => each.path === path);
  await route?.handle(openContext(exchange, new Date()));
  return await exchange.finished();
}

test.each([
  ["/logs/system.log", long],
  ["/logs/system.log/", long],
  ["/logs/newest", long],
  ["/logs/apt/term.log", "installed"],
  ["/logs//apt//term.log", "installed"],
  ["/logs/empty", ""],
  ["/logs/a%3A%20%3Cb%3E%26.html", "<script>alert(1)</script>"],
])("%s is a file, and text", async (target, text) => {
  const { statusCode, answered, body } = await ask(target);
  expect([statusCode, answered["content-type"]]).toEqual([200, "text/plain; charset=utf-8"]);
  expect(answered["x-content-type-options"]).toBe("nosniff");
  expect(body.toString()).toBe(text);
});

test("what has zero bytes is no text", async () => {
  const { answered } = await ask("/logs/data");
  expect(answered["content-type"]).toBe("application/octet-stream");
});

test.each([
  ["/logs", "logs/"],
  ["/logs/apt", "apt/"],
])("%s is a folder", async (target, location) => {
  const { statusCode, answered } = await ask(target);
  expect([statusCode, answered.location]).toEqual([301, location]);
});

test("folders are lists, in which names are no HTML", async () => {
  const text = (await ask("/logs/")).body.toString();
  expect(text).toContain('\n<a href="apt/">apt/</a>\n');
  expect(text).toContain('\n<a href="a%3A%20%3Cb%3E%26.html">a: &#60;b&#62;&#38;.html</a>\n');
  expect((await ask("/logs/apt/")).body.toString()).toContain(
    '<pre>\n<a href="term.log">term.log</a>\n</pre>',
  );
});

test.each([
  ["/logs/none", 404],
  ["/logs/system.log/none", 404],
  ["/logs/leading-out", 404],
  ["/logs/above/", 404],
  ["/logs/above/secret", 404],
  ["/logs/beside/secret", 404],
  ["/logs/loop", 404],
  ["/logs/pipe", 404],
  ["/logs/a%00b", 404],
  [`/logs/${"a".repeat(300)}`, 404],
  ["/logs/../secret", 400],
  ["/logs/%2e%2e/secret", 400],
  ["/logs/apt/..%2f..%2fsecret", 400],
])("%s is answered %d", async (target, code) => {
  const { statusCode, body } = await ask(target);
  expect(statusCode).toBe(code);
  expect(body.toString()).not.toContain("password");
});

test("nothing can be done to files but reading them", async () => {
  await expect(ask("/logs/system.log", "DELETE")).rejects.toMatchObject({ code: 405 });
});
