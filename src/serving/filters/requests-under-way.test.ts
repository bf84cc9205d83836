import { expect, test } from "vitest";
import type { HttpExchange } from "../http/exchange.js";
import { openContext } from "../request/open-context.js";
import type { RequestContext } from "../request/request-context.js";
import { RequestsUnderWay } from "./requests-under-way.js";

function request(target: string): RequestContext {
  const [path = "", query = ""] = target.split("?");
  // What filters touch of an exchange.
  return openContext({ method: "GET", target, path, query } as unknown as HttpExchange, new Date(0));
}

test("requests under way are waited for; watches and late requests are not", async () => {
  const requests = new RequestsUnderWay();
  let draining = false;
  const filter = requests.filter(() => draining);
  await requests.finished(60_000);

  const never = (): Promise<void> => new Promise(() => {});
  void filter(request("/api/v1/pods?watch=1"), never);
  let end: (() => void) | undefined;
  const slow = filter(request("/api/v1/pods"), () => new Promise((resolve) => (end = resolve)));
  draining = true;
  void filter(request("/livez"), never);
  const order: string[] = [];
  const finished = requests.finished(60_000).then(() => order.push("finished"));
  order.push("waiting");
  end?.();
  await Promise.all([slow, finished]);
  expect(order).toEqual(["waiting", "finished"]);
});

test("waiting ends when the time is up", async () => {
  const requests = new RequestsUnderWay();
  void requests.filter(() => false)(request("/api/v1/pods"), () => new Promise(() => {}));
  await requests.finished(1);
});
