import { expect, test } from "vitest";
import { FlowControl } from "../../access/flowcontrol/flow-control.js";
import { FlowControlMetrics } from "../../access/flowcontrol/flow-control-metrics.js";
import { FakeClock } from "../../access/flowcontrol/testing/fake-clock.js";
import type { RequestInfo } from "../../apimachinery/requests/request-info.js";
import type { HttpExchange } from "../../serving/http/exchange.js";
import { openContext } from "../../serving/request/open-context.js";
import { Metrics } from "../../telemetry/metrics.js";
import { flowControlRoutes } from "./flow-control-routes.js";

const jane = { name: "jane", uid: "", groups: ["system:authenticated"], extra: {} };
const list: RequestInfo = {
  isResourceRequest: true,
  path: "/apis/apps/v1/namespaces/n/deployments",
  verb: "list",
  apiPrefix: "apis",
  apiGroup: "apps",
  apiVersion: "v1",
  namespace: "n",
  resource: "deployments",
  subresource: "",
  name: "",
  parts: [],
};

/** A level of one seat with two queues; one request runs, another waits. */
async function openWaiting(): Promise<(page: string) => Promise<string[]>> {
  const clock = new FakeClock();
  const control = new FlowControl({
    seats: 1,
    waitMs: 1000,
    clock,
    metrics: new FlowControlMetrics(new Metrics(), () => 0, "1.23"),
  });
  const rule = { verbs: ["*"], apiGroups: ["*"], resources: ["*"], namespaces: ["*"] };
  const schema = {
    matchingPrecedence: 5,
    priorityLevelConfiguration: { name: "level" },
    distinguisherMethod: { type: "ByUser" },
    rules: [{ subjects: [{ kind: "User", user: { name: "jane" } }], resourceRules: [rule] }],
  };
  const queuing = { queues: 1, handSize: 1, queueLengthLimit: 10 };
  const level = {
    type: "Limited",
    limited: { nominalConcurrencyShares: 1, limitResponse: { type: "Queue", queuing } },
  };
  control.configure([{ name: "schema", uid: "", spec: schema }], [{ name: "level", uid: "", spec: level }]);
  const classification = control.classify(jane, list);
  const never = new AbortController();
  const work = { seats: 1, finalSeats: 2, finalMs: 1500 };
  void control.enter(classification, jane, list, work, never);
  await clock.advance(250);
  void control.enter(classification, jane, list, work, never);
  const routes = flowControlRoutes(control, () => ({
    monotonicMs: clock.now(),
    wallMs: 1_000_000 + clock.now(),
  }));
  return async (page) => {
    const [name, query = ""] = page.split("?");
    let text = "";
    const exchange = {
      method: "GET",
      path: `/debug/api_priority_and_fairness/${name}`,
      query,
      headers: {},
      respond: (_status: number, _headers: object, body: string) => {
        text = body;
      },
    };
    // The part of an exchange that a route uses.
    const context = openContext(exchange as unknown as HttpExchange, new Date());
    await routes.find(({ path }) => path === exchange.path)?.handle(context);
    return text.split("\n").filter((line) => /^(PriorityLevelName|level|exempt),/.test(line));
  };
}

test("levels, queues and requests are tables, their columns below each other", async () => {
  const dump = await openWaiting();
  expect(await dump("dump_priority_levels")).toEqual([
    "PriorityLevelName, ActiveQueues, IsIdle, IsQuiescing, WaitingRequests, ExecutingRequests",
    "level,             1,            false,  false,       1,               1",
    "exempt,            <none>,       <none>, <none>,      <none>,          <none>",
  ]);
  expect(await dump("dump_queues")).toEqual([
    "PriorityLevelName, Index,  PendingRequests, ExecutingRequests, SeatsInUse, NextDispatchR, InitialSeatsSum, MaxSeatsSum, TotalWorkSum",
    "level,             0,      1,               1,                 1,          0.00300000ss,  1,               2,           3.00000000ss",
    "exempt,            <none>, <none>,          <none>,            <none>,     <none>,        <none>,          <none>,      <none>",
  ]);
  const requests = await dump("dump_requests?includeRequestDetails=1");
  expect(requests[0]?.split(/, +/)).toEqual([
    ..."PriorityLevelName FlowSchemaName QueueIndex RequestIndexInQueue FlowDistingsher ArriveTime".split(
      " ",
    ),
    ..."InitialSeats FinalSeats AdditionalLatency UserName Verb APIPath Namespace Name APIVersion".split(" "),
    ..."Resource SubResource".split(" "),
  ]);
  expect(requests[1]?.split(/, +/)).toEqual([
    ..."level schema 0 0 jane 1970-01-01T00:16:40.250Z 1 2 1.5s jane list".split(" "),
    ..."/apis/apps/v1/namespaces/n/deployments n".split(" "),
    "",
    "apps/v1",
    "deployments",
    "",
  ]);
  expect((await dump("dump_requests"))[1]).not.toContain("deployments");
});
