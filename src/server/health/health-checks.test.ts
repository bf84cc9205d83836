import { expect, test } from "vitest";
import { HealthChecks } from "./health-checks.js";

const signal = new AbortController().signal;

function checks(): HealthChecks {
  const all = new HealthChecks();
  all.add({ name: "ping", check() {} }, "livez", "readyz");
  all.add(
    {
      name: "store",
      async check() {
        throw new Error("secret reason");
      },
    },
    "readyz",
  );
  return all;
}

test("a healthy endpoint answers ok, and each check when asked for", async () => {
  const answer = await checks().all("livez", { verbose: false, exclude: [] }, signal);
  expect(answer).toMatchObject({ status: 200, body: "ok" });
  const verbose = await checks().all("livez", { verbose: true, exclude: [] }, signal);
  expect(verbose.body).toBe("[+]ping ok\nlivez check passed\n");
});

test("a failing endpoint lists its checks and keeps the reason for the log", async () => {
  const answer = await checks().all("readyz", { verbose: false, exclude: [] }, signal);
  expect(answer.status).toBe(500);
  expect(answer.body).toBe("[+]ping ok\n[-]store failed: reason withheld\nreadyz check failed\n");
  expect(answer.failures.map((f) => String(f.reason))).toEqual(["Error: secret reason"]);
});

test("an excluded check does not count; an unknown one is said to be unknown", async () => {
  const answer = await checks().all("readyz", { verbose: true, exclude: ["store", "moon"] }, signal);
  expect(answer.status).toBe(200);
  expect(answer.body).toBe(
    '[+]ping ok\n[+]store excluded: ok\nwarn: some health checks cannot be excluded: no matches for "moon"\nreadyz check passed\n',
  );
});

test.each([
  ["ping", 200, "ok"],
  ["store", 500, "internal server error: secret reason\n"],
])("the path of check %s answers %d, and why", async (name, status, body) => {
  expect(await checks().one("readyz", name, signal)).toMatchObject({ status, body });
});
