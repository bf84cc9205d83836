import { expect, test } from "vitest";
import { badRequest, internal } from "../../apimachinery/errors/status.js";
import type { AnsweredList, AuditLevel, AuditTrail } from "../../request/audit-trail.js";
import type { Handler } from "../filters/filter.js";
import type { RequestContext } from "../request/request-context.js";
import { recordNotes } from "./lane-audit.js";
import { LaneHandler } from "./lane-handler.js";
import type { LaneRequest } from "./lane-messages.js";

const user = { name: "anna", uid: "1", groups: ["g"], extra: { k: ["v"] } };

function requestOf(changes: Partial<LaneRequest> = {}): LaneRequest {
  return {
    id: 1,
    method: "PUT",
    target: "/api/v1/namespaces/n/configmaps/a?dryRun=All",
    headers: { host: "h", "content-type": "application/json" },
    remoteAddress: "192.0.2.1",
    remotePort: 1234,
    authenticatedUser: { ...user, name: "proxy" },
    user,
    auditLevel: undefined,
    trace: undefined,
    receivedAtMs: 5000,
    body: Buffer.from("{}"),
    form: undefined,
    ...changes,
  };
}

function handlerOf(router: Handler, caughtUp = () => Promise.resolve()) {
  const unexpected: unknown[] = [];
  const handler = new LaneHandler({
    router,
    makeForm: ({ key, form }) => Buffer.from(`${form} of ${key}`),
    caughtUp,
    unexpected: (error) => void unexpected.push(error),
  });
  return { handler, unexpected };
}

test("the router sees the request as it came, and its answer is collected", async () => {
  let seen: RequestContext | undefined;
  const { handler } = handlerOf(async (context) => {
    seen = context;
    expect(Buffer.from(await context.exchange.readBody(10)).toString()).toBe("{}");
    context.warn("careful");
    context.warn("careful");
    context.step("half");
    context.addMutatingWebhookTime(3);
    const stream = context.exchange.startStream(201, { "Content-Type": "text/plain" });
    const reused = Buffer.from("one ");
    stream.write(reused, () => reused.fill("x"));
    stream.write(Buffer.from("two"));
    setTimeout(() => stream.end(), 1);
  });
  const { outcome, notes } = await handler.run(requestOf());
  expect(seen?.info).toMatchObject({ verb: "update", namespace: "n", resource: "configmaps", name: "a" });
  expect(seen?.query.get("dryRun")).toBe("All");
  expect([seen?.user, seen?.authenticatedUser?.name]).toEqual([user, "proxy"]);
  expect(seen?.sourceAddresses).toEqual(["192.0.2.1"]);
  expect(seen?.receivedAt).toEqual(new Date(5000));
  if (outcome.kind !== "answer") throw new Error("no answer");
  expect([outcome.status, outcome.headers, Buffer.from(outcome.body).toString()]).toEqual([
    201,
    { "Content-Type": "text/plain" },
    "one two",
  ]);
  expect(outcome.body.byteLength).toBe(outcome.body.buffer.byteLength);
  expect(notes).toMatchObject({ warnings: ["careful"], mutatingWebhooksMs: 3, validatingWebhooksMs: 0 });
  expect(notes.steps.map(({ text }) => text)).toEqual(["half"]);
  // It must be cloneable, because it crosses to another thread.
  expect(structuredClone({ outcome, notes })).toEqual({ outcome, notes });
});

test("nothing runs before the lane knows of what was written", async () => {
  const order: string[] = [];
  const { handler } = handlerOf(
    async ({ exchange }) => {
      order.push("runs");
      exchange.respond(200, {}, "");
    },
    async () => void order.push("caught up"),
  );
  await handler.run(requestOf());
  expect(order).toEqual(["caught up", "runs"]);
});

test("a status is told, and warnings with it", async () => {
  const { handler, unexpected } = handlerOf(async (context) => {
    context.warn("careful");
    throw badRequest("no");
  });
  const { outcome, notes } = await handler.run(requestOf());
  expect(outcome).toMatchObject({ kind: "error", status: { code: 400, message: "no" } });
  expect(notes.warnings).toEqual(["careful"]);
  expect(unexpected).toEqual([]);
});

test("what is not expected is logged here, with its causes, and told without them", async () => {
  const secret = new Error("secret");
  for (const error of [secret, internal("broken", secret)]) {
    const { handler, unexpected } = handlerOf(() => Promise.reject(error));
    const { outcome } = await handler.run(requestOf());
    expect(outcome).toMatchObject({ kind: "error", status: { code: 500, reason: "InternalError" } });
    expect(JSON.stringify(outcome)).not.toContain("secret");
    expect(unexpected).toEqual([error]);
  }
});

test("an aborted request hears of it, and its error is not logged", async () => {
  const { handler, unexpected } = handlerOf(
    ({ signal }) =>
      new Promise((_, reject) => signal.addEventListener("abort", () => reject(new Error("aborted")))),
  );
  const running = handler.run(requestOf({ id: 7 }));
  await Promise.resolve();
  handler.abort(8);
  // The router runs after a turn.
  setTimeout(() => handler.abort(7), 1);
  expect((await running).outcome.kind).toBe("error");
  expect(unexpected).toEqual([]);
  handler.abort(7);
});

const list: AnsweredList = {
  head: '{"kind":"List"',
  member: "items",
  items: [Buffer.from('{"a":1}')],
  itemHead: Buffer.from("{"),
};

test.each<readonly [AuditLevel, readonly string[]]>([
  ["Metadata", ["annotate a b", "annotate c d", "identify x", "status Failure"]],
  ["Request", ["annotate a b", "annotate c d", "identify x", 'request {"q":1}', "status Failure"]],
  [
    "RequestResponse",
    [
      "annotate a b",
      "annotate c d",
      "identify x",
      'request {"q":1}',
      'response {"r":1}',
      'list {"a":1}',
      "status Failure",
    ],
  ],
])("what an audit event records at level %s is recorded on the other side", async (auditLevel, expected) => {
  const { handler } = handlerOf(async ({ audit, exchange }) => {
    if (audit === undefined) throw new Error("no trail");
    audit.annotate("a", "b");
    audit.annotateAll(new Map([["c", "d"]]));
    audit.identify({ name: "x" });
    audit.recordRequest(() => '{"q":1}');
    audit.recordResponse(() => Buffer.from('_{"r":1}').subarray(1));
    audit.recordResponseList(list);
    audit.recordStatus(badRequest("no").status);
    exchange.respond(400, {}, "");
  });
  const { notes } = await handler.run(requestOf({ auditLevel }));
  const recorded: string[] = [];
  const trail: AuditTrail = {
    level: auditLevel,
    annotate: (key, value) => void recorded.push(`annotate ${key} ${value}`),
    annotateAll: () => undefined,
    identify: ({ name }) => void recorded.push(`identify ${name}`),
    recordRequest: (json) => void recorded.push(`request ${textOf(json())}`),
    recordResponse: (json) => void recorded.push(`response ${textOf(json())}`),
    recordResponseList: ({ items }) => void recorded.push(`list ${items.map(textOf).join()}`),
    recordStored: (revision) => void recorded.push(`stored ${revision}`),
    recordStatus: ({ status }) => void recorded.push(`status ${status}`),
  };
  recordNotes(trail, structuredClone(notes).audit);
  expect(recorded).toEqual(expected);
  // Cloning a view of a shared buffer would copy the whole buffer.
  for (const note of notes.audit) {
    if ("json" in note && typeof note.json !== "string") expect(note.json.buffer.byteLength).toBe(7);
  }
});

function textOf(json: string | Uint8Array): string {
  return typeof json === "string" ? json : Buffer.from(json).toString();
}
