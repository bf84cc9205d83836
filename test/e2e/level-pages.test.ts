import { describe, expect, test } from "vitest";
import { parseCbor } from "../../src/apimachinery/cbor/parse-cbor.js";
import { sharedGrounds } from "../support/shared-grounds.js";

/** What a server says of itself, by level: readiness, status, flags. */

const ground = sharedGrounds();
const start = async (level: string, ...args: readonly string[]) =>
  (await ground(`--api-level=${level}`, ...args)).api;
const pages = "--feature-gates=ComponentStatusz=true,ComponentFlagz=true";

describe.each([
  ["/statusz", "Statusz", /\nStarted: .*UTC \d{4}\nUp: 0 hr 00 min \d\d sec\nGo version: nodev/],
  ["/flagz", "Flagz", /\napi-level=1\.\d\d\n(.*\n)*etcd-prefix=\/registry\n/],
])("%s", (path, kind, text) => {
  const accept = (version: string) => ({
    headers: { accept: `application/json;v=${version};g=config.k8s.io;as=${kind}` },
  });

  test("is not there before 1.36 unless it is switched on", async () => {
    const api = await start("1.35");
    expect((await api.get(path)).status).toBe(404);
  });

  test("is text at 1.32", async () => {
    const api = await start("1.32", pages);
    const page = await api.get(path);
    expect([page.status, page.headers["content-type"]]).toEqual([200, "text/plain; charset=utf-8"]);
    expect(page.text).toMatch(/^\nkube-apiserver (statusz|flags)\nWarning: This endpoint is not meant/);
    expect(page.text).toMatch(text);
    expect((await api.ask("GET", path, accept("v1alpha1"))).status).toBe(406);
    expect((await api.get("/")).body.paths).toContain(path);
  });

  test.each([
    ["1.33", "kube-apiserver", "kube-apiserver"],
    ["1.34", "apiserver", "kube-apiserver"],
    ["1.35", "apiserver", "kube-apiserver"],
    ["1.36", "apiserver", "apiserver"],
  ] as const)("at %s, it names the program as the level does", async (apiLevel, ofStatus, ofFlags) => {
    const api = await start(apiLevel, pages);
    const name = kind === "Statusz" ? ofStatus : ofFlags;
    // At 1.35 status is negotiated as objects are, whose types name no character set.
    const isNegotiated = kind === "Statusz" && apiLevel === "1.35";
    const typed = "text/plain; charset=utf-8";
    for (const asked of ["text/plain", "*/*", undefined]) {
      const page = await api.ask("GET", path, asked === undefined ? {} : { headers: { accept: asked } });
      const [, head, , gap] = page.text.split("\n");
      const isLater = apiLevel >= "1.35";
      expect(head).toBe(`${name} ${kind === "Statusz" ? "statusz" : isLater ? "flagz" : "flags"}`);
      expect(gap === "").toBe(kind === "Statusz" || !isLater);
      const type = isNegotiated && asked !== undefined ? "text/plain" : typed;
      expect(page.headers["content-type"]).toBe(type);
    }
    if (apiLevel < "1.35") return;
    expect((await api.ask("GET", path, accept("v1alpha1"))).body.metadata).toEqual({ name });
  });

  test("is also for programs at 1.35 and 1.36, for those who may watch the server", async () => {
    const old = await start("1.35", pages);
    expect((await old.ask("GET", path, accept("v1beta1"))).status).toBe(406);
    expect((await old.ask("GET", path, accept("v1alpha1"))).body).toMatchObject({ kind });

    const api = await start("1.36", "--authorization-mode=RBAC");
    const { headers, body } = await api.ask("GET", path, accept("v1beta1"));
    expect(headers["content-type"]).toBe(`application/json;g=config.k8s.io;v=v1beta1;as=${kind}`);
    expect(body).toMatchObject({
      kind,
      apiVersion: "config.k8s.io/v1beta1",
      metadata: { name: "apiserver" },
      ...(kind === "Flagz"
        ? { flags: { "api-level": "1.36", "enable-priority-and-fairness": "true" } }
        : {
            emulationVersion: "1.36",
            binaryVersion: expect.stringMatching(/^1\.36\.0\+/),
            paths: expect.arrayContaining([
              "/flagz",
              "/healthz",
              "/livez",
              "/metrics",
              "/readyz",
              "/statusz",
            ]),
          }),
    });
    const plain = await api.ask("GET", path, { headers: { accept: "application/json" } });
    expect([plain.status, plain.body.message]).toEqual([
      406,
      "only the following media types are accepted: application/json, application/yaml, text/plain",
    ]);
    const yaml = await api.ask("GET", path, {
      headers: { accept: `application/yaml;v=v1alpha1;g=config.k8s.io;as=${kind}` },
    });
    expect(yaml.headers["content-type"]).toBe(`application/yaml;g=config.k8s.io;v=v1alpha1;as=${kind}`);
    expect(yaml.headers.warning).toBe(
      `299 - "This version of the ${kind.toLowerCase()} endpoint is deprecated. Please use a newer version."`,
    );
    expect(yaml.text).toContain(`kind: ${kind}\n`);
    const ofCbor = { headers: { accept: `application/cbor;v=v1beta1;g=config.k8s.io;as=${kind}` } };
    expect((await api.ask("GET", path, ofCbor)).status).toBe(406);
    const asJane = { "impersonate-user": "jane" };
    expect((await api.ask("GET", path, { headers: asJane })).status).toBe(403);
    const asMonitor = { ...asJane, "impersonate-group": "system:monitoring" };
    expect((await api.ask("GET", path, { headers: asMonitor })).status).toBe(200);

    const withCbor = await start("1.36", "--feature-gates=CBORServingAndStorage=true");
    const { bytes, headers: ofAnswer } = await withCbor.ask("GET", path, ofCbor);
    expect(ofAnswer["content-type"]).toBe(`application/cbor;g=config.k8s.io;v=v1beta1;as=${kind}`);
    expect(parseCbor(bytes)).toMatchObject({ kind, metadata: { name: "apiserver" } });
  });
});

test.each([
  ["1.24", false],
  ["1.25", true],
  ["1.35", true],
] as const)("readiness of the store at %s: %s", async (apiLevel, has) => {
  const api = await start(apiLevel);
  await expect.poll(async () => (await api.get("/readyz")).status).toBe(200);
  const checks = (await api.get("/readyz?verbose")).text;
  expect(checks.includes("[+]etcd ok\n[+]etcd-readiness ok\n")).toBe(has);
  expect((await api.get("/livez?verbose")).text).not.toContain("etcd-readiness");
  expect((await api.get("/readyz/etcd-readiness")).status).toBe(has ? 200 : 404);
});
