import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../apimachinery/json/json-value.js";
import { type ApiLevel, oldestLevel } from "../../apimachinery/levels/api-level.js";
import { type GroundParts, PluginGround, type TestWrite } from "../testing/plugin-ground.js";
import { mutatingAdmissionWebhook, validatingAdmissionWebhook } from "./admission-webhooks.js";

const rule = { operations: ["*"], apiGroups: [""], apiVersions: ["v1"], resources: ["configmaps"] };

const webhook = (name: string, changes: object = {}) => ({
  name: `${name}.example.com`,
  clientConfig: { url: `https://127.0.0.1/${name}` },
  rules: [rule],
  sideEffects: "None",
  admissionReviewVersions: ["v1"],
  ...changes,
});

const configuration = (name: string, ...webhooks: readonly object[]) => ({ metadata: { name }, webhooks });

const write: TestWrite = {
  resource: "configmaps",
  object: { metadata: { name: "c", labels: { a: "b" } }, data: { k: "v" } },
};

function mutating(
  configurations: readonly object[],
  webhookAnswer: GroundParts["webhookAnswer"],
  level: ApiLevel = oldestLevel,
) {
  const known = { mutatingwebhookconfigurations: configurations, namespaces: [{ metadata: { name: "ns" } }] };
  return new PluginGround(mutatingAdmissionWebhook, {
    known,
    level,
    ...(webhookAnswer && { webhookAnswer }),
  });
}

function validating(configurations: readonly object[], webhookAnswer: GroundParts["webhookAnswer"]) {
  const known = {
    validatingwebhookconfigurations: configurations,
    namespaces: [{ metadata: { name: "ns", labels: { team: "a" } } }],
  };
  return new PluginGround(validatingAdmissionWebhook, { known, ...(webhookAnswer && { webhookAnswer }) });
}

const patch = (...operations: readonly object[]): JsonObject => ({
  patchType: "JSONPatch",
  patch: Buffer.from(JSON.stringify(operations)).toString("base64"),
});

const adds = (key: string) => patch({ op: "add", path: `/data/${key}`, value: "x" });

describe("MutatingAdmissionWebhook", () => {
  test("asks in the order of configurations, and prints an object once for each state of it", async () => {
    const asked: string[] = [];
    const ground = mutating(
      [configuration("b", webhook("third")), configuration("a", webhook("first"), webhook("second"))],
      (name) => {
        asked.push(name);
        return name === "second.example.com" ? adds("second") : {};
      },
    );
    const { object, annotations } = await ground.admit(write);
    expect(asked).toEqual(["first.example.com", "second.example.com", "third.example.com"]);
    expect(object).toMatchObject({ data: { k: "v", second: "x" } });
    expect(ground.prints).toBe(2);
    const key = (round: number, index: number) =>
      `mutation.webhook.admission.k8s.io/round_${round}_index_${index}`;
    const value = (of: string, name: string, mutated: boolean) =>
      JSON.stringify({ configuration: of, webhook: `${name}.example.com`, mutated });
    expect(annotations).toEqual({
      [key(0, 0)]: value("a", "first", false),
      [key(0, 1)]: value("a", "second", true),
      [key(0, 2)]: value("b", "third", false),
      "patch.webhook.admission.k8s.io/round_0_index_1": JSON.stringify({
        configuration: "a",
        webhook: "second.example.com",
        patch: [{ op: "add", path: "/data/second", value: "x" }],
        patchType: "JSONPatch",
      }),
    });
  });

  test("asks those again that want it when a later one changes the object", async () => {
    const asked: string[] = [];
    const again = { reinvocationPolicy: "IfNeeded" };
    const ground = mutating(
      [configuration("a", webhook("first", again), webhook("second", again))],
      (name) => {
        asked.push(name);
        return name === "second.example.com" && asked.length === 2 ? adds("second") : {};
      },
    );
    await ground.admit(write);
    expect(asked).toEqual(["first.example.com", "second.example.com", "first.example.com"]);
  });

  test.each<[string, JsonObject, string]>([
    [
      "a patch that cannot be applied",
      patch({ op: "remove", path: "/data/none" }),
      "Internal error occurred: error in remove for path: '/data/none': Unable to remove nonexistent key: none: missing value",
    ],
    [
      "a patch without its type",
      { patch: "W10=" },
      'Internal error occurred: failed calling webhook "a.example.com": received invalid webhook response: webhook returned response.patch but not response.patchType',
    ],
    [
      "a patch of an empty type",
      { patch: "W10=", patchType: "" },
      'Internal error occurred: failed calling webhook "a.example.com": received invalid webhook response: webhook returned invalid response.patchType of ""',
    ],
    [
      "a patch of another type",
      { ...adds("k"), patchType: "Other" },
      'Internal error occurred: failed calling webhook "a.example.com": unsupported patch type "Other"',
    ],
    [
      "an answer with a field of another type",
      { allowed: "yes" },
      'Internal error occurred: failed calling webhook "a.example.com": json: cannot unmarshal string into Go struct field AdmissionResponse.response.allowed of type bool',
    ],
    [
      "a refusal",
      { allowed: false, status: { message: "never" } },
      'admission webhook "a.example.com" denied the request: never',
    ],
  ])("%s refuses the request", async (_what, answer, refusal) => {
    expect((await mutating([configuration("a", webhook("a"))], () => answer).admit(write)).refusal).toBe(
      refusal,
    );
  });

  test("numbers in a patch are compared as they are written", async () => {
    const object = { metadata: { name: "c", generation: 1 } };
    const answering = (value: string) => () => ({
      patchType: "JSONPatch",
      patch: Buffer.from(`[{"op":"test","path":"/metadata/generation","value":${value}}]`).toString("base64"),
    });
    const admitted = (value: string) =>
      mutating([configuration("a", webhook("a"))], answering(value)).admit({ ...write, object });
    expect((await admitted("1")).refusal).toBeUndefined();
    const { refusal, annotations } = await admitted("1.0");
    expect(refusal).toBe("Internal error occurred: testing value /metadata/generation failed: test failed");
    expect(annotations["patch.webhook.admission.k8s.io/round_0_index_0"]).toBeUndefined();
  });

  test("an empty patch of another type changes nothing", async () => {
    const answer = { ...patch(), patchType: "Other" };
    const { object, refusal } = await mutating([configuration("a", webhook("a"))], () => answer).admit(write);
    expect(refusal).toBeUndefined();
    expect(object).toMatchObject({ data: { k: "v" } });
  });

  test("a patch that changes nothing does not count as a change", async () => {
    const answer = patch({ op: "replace", path: "/data/k", value: "v" });
    const ground = mutating([configuration("a", webhook("a"))], () => answer);
    const { annotations } = await ground.admit(write);
    expect(JSON.parse(annotations["mutation.webhook.admission.k8s.io/round_0_index_0"] ?? "")).toMatchObject({
      mutated: false,
    });
    expect(JSON.parse(annotations["patch.webhook.admission.k8s.io/round_0_index_0"] ?? "")).toMatchObject({
      patch: [{ op: "replace", path: "/data/k", value: "v" }],
    });
  });

  test("a webhook whose failure is ignored is reinvoked too", async () => {
    const asked: string[] = [];
    const again = { reinvocationPolicy: "IfNeeded", failurePolicy: "Ignore" };
    const ground = mutating([configuration("a", webhook("first", again), webhook("second"))], (name) => {
      asked.push(name);
      if (name === "first.example.com") throw new Error("away");
      return adds("second");
    });
    await ground.admit(write);
    expect(asked).toEqual(["first.example.com", "second.example.com", "first.example.com"]);
  });

  test.each<[ApiLevel, object]>([
    ["1.33", { refusal: "Internal error occurred: unexpected end of JSON input" }],
    ["1.34", { refusal: undefined }],
  ])("at %s a patch that is no JSON ends %j, when failures are ignored", async (level, outcome) => {
    const answer = { patchType: "JSONPatch", patch: Buffer.from("[").toString("base64") };
    const ground = mutating(
      [configuration("a", webhook("a", { failurePolicy: "Ignore" }))],
      () => answer,
      level,
    );
    expect(await ground.admit(write)).toMatchObject(outcome);
  });

  test("at 1.34 a patch that is no JSON is a failure of the webhook", async () => {
    const answer = { patchType: "JSONPatch", patch: Buffer.from("[").toString("base64") };
    const ground = mutating([configuration("a", webhook("a"))], () => answer, "1.34");
    expect((await ground.admit(write)).refusal).toBe(
      'Internal error occurred: failed calling webhook "a.example.com": received undecodable patch in webhook response: unexpected end of JSON input',
    );
  });
});

describe("ValidatingAdmissionWebhook", () => {
  test("all webhooks get the same text, and the first refusal in their order counts", async () => {
    const ground = validating(
      [configuration("a", webhook("a"), webhook("b")), configuration("c", webhook("c"))],
      (name) => ({ allowed: name === "a.example.com", status: { message: name } }),
    );
    const { refusal } = await ground.admit(write);
    expect(refusal).toBe('admission webhook "b.example.com" denied the request: b.example.com');
    expect([ground.prints, ground.observed.length]).toEqual([1, 3]);
  });

  test.each<[string, object, boolean]>([
    ["another resource", { rules: [{ ...rule, resources: ["secrets"] }] }, false],
    ["every resource", { rules: [{ ...rule, resources: ["*"] }] }, true],
    ["another operation", { rules: [{ ...rule, operations: ["UPDATE"] }] }, false],
    ["objects of the cluster", { rules: [{ ...rule, scope: "Cluster" }] }, false],
    ["labels of the object", { objectSelector: { matchLabels: { a: "b" } } }, true],
    ["other labels of the object", { objectSelector: { matchLabels: { a: "c" } } }, false],
    ["labels of the namespace", { namespaceSelector: { matchLabels: { team: "a" } } }, true],
    ["other labels of the namespace", { namespaceSelector: { matchLabels: { team: "b" } } }, false],
  ])("%s: %j", async (_what, changes, isAsked) => {
    const ground = validating([configuration("a", webhook("a", changes))], () => ({}));
    await ground.admit(write);
    expect(ground.observed).toEqual(isAsked ? ["a.example.com allowed"] : []);
  });

  test("no selector of labels matches the options of a connection", async () => {
    const matchExpressions = [{ key: "a", operator: "DoesNotExist" }];
    const ground = validating(
      [configuration("a", webhook("a", { objectSelector: { matchExpressions } }), webhook("b"))],
      () => ({}),
    );
    await ground.admit({ resource: "configmaps", operation: "CONNECT", other: { metadata: {} } });
    expect(ground.observed).toEqual(["b.example.com allowed"]);
  });

  test("one that fails refuses, or is ignored and noted", async () => {
    const fails = (): never => {
      throw new Error("away");
    };
    const strict = await validating([configuration("a", webhook("a"))], fails).admit(write);
    expect([strict.code, strict.refusal]).toEqual([
      500,
      'Internal error occurred: failed calling webhook "a.example.com": away',
    ]);
    const ignored = webhook("a", { failurePolicy: "Ignore" });
    const ground = validating([configuration("a", ignored)], fails);
    const { refusal, annotations } = await ground.admit(write);
    expect([refusal, ground.observed]).toEqual([undefined, ["a.example.com ignored"]]);
    expect(annotations).toEqual({
      "failed-open.validating.webhook.admission.k8s.io/round_0_index_0": "a.example.com",
    });
  });

  test("no webhook is called for webhook configurations", async () => {
    const any = { ...rule, apiGroups: ["*"], apiVersions: ["*"], resources: ["*"] };
    const ground = validating([configuration("a", webhook("a", { rules: [any] }))], () => ({
      allowed: false,
    }));
    const object = configuration("new");
    expect(
      (await ground.admit({ resource: "validatingwebhookconfigurations", object })).refusal,
    ).toBeUndefined();
    expect((await ground.admit(write)).code).toBe(400);
  });

  test("a dry run is refused where a webhook has side effects", async () => {
    const ground = validating([configuration("a", webhook("a", { sideEffects: "Some" }))], () => ({}));
    expect((await ground.admit({ ...write, dryRun: true })).refusal).toBe(
      'admission webhook "a.example.com" does not support dry run',
    );
    expect((await ground.admit(write)).refusal).toBeUndefined();
  });
});

describe("conditions of webhooks, at 1.35", () => {
  const conditioned = (expression: string, changes: object = {}) =>
    configuration("w", webhook("one", { matchConditions: [{ name: "c", expression }], ...changes }));

  async function admitted(
    kind: "mutating" | "validating",
    configurations: readonly object[],
    changed?: TestWrite,
  ) {
    const asked: string[] = [];
    const ground = new PluginGround(
      kind === "mutating" ? mutatingAdmissionWebhook : validatingAdmissionWebhook,
      {
        level: "1.35",
        known: {
          [`${kind}webhookconfigurations`]: configurations,
          namespaces: [{ metadata: { name: "ns" } }],
        },
        isAllowed: (_user, { verb }) => verb === "get",
        webhookAnswer: (name) => {
          asked.push(name);
          return {};
        },
      },
    );
    return { asked, ...(await ground.admit(changed ?? write)) };
  }

  describe.each(["mutating", "validating"] as const)("%s", (kind) => {
    test.each([
      ["object.data.k == 'v'", 1],
      ["object.data.k == 'w'", 0],
      ["request.resource.resource == 'configmaps' && request.userInfo.username == 'user'", 1],
      ["authorizer.requestResource.check('get').allowed()", 1],
      ["authorizer.requestResource.check('delete').allowed()", 0],
      ["oldObject != null", 0],
    ])("%s", async (expression, calls) => {
      const { asked, refusal } = await admitted(kind, [conditioned(expression)]);
      expect(refusal).toBeUndefined();
      expect(asked).toHaveLength(calls);
    });

    test("one that fails refuses the request, unless failures are ignored", async () => {
      const failing = "object.data.missing == 'x'";
      expect(await admitted(kind, [conditioned(failing)])).toMatchObject({
        asked: [],
        code: 403,
        refusal: `configmaps "c" is forbidden: expression '${failing}' resulted in error: no such key: missing`,
      });
      const nameless = { ...write, object: { metadata: { generateName: "c-" }, data: {} } };
      expect((await admitted(kind, [conditioned(failing)], nameless)).refusal).toMatch(
        /^configmaps is forbidden: /,
      );
      expect(await admitted(kind, [conditioned(failing, { failurePolicy: "Ignore" })])).toMatchObject({
        asked: [],
        refusal: undefined,
      });
    });
  });
});
