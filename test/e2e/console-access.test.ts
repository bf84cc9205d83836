import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ApiClient } from "../support/api-client.js";
import { startServerHere } from "../support/in-process-server.js";
import { type ServerProcess, startServer } from "../support/server-process.js";

let server: ServerProcess;
let admin: ApiClient;
/** Has no credentials of its own. */
let browser: ApiClient;

const directory = mkdtempSync(join(tmpdir(), "console-"));

beforeAll(async () => {
  writeFileSync(join(directory, "tokens.csv"), "user-token,ann,1\n");
  server = await startServer({
    args: [`--token-auth-file=${join(directory, "tokens.csv")}`, "--authorization-mode=RBAC"],
  });
  admin = new ApiClient(server);
  browser = new ApiClient(server, { anonymous: true });
});

afterAll(async () => {
  await Promise.all([admin.close(), browser.close()]);
  await server.dispose();
  rmSync(directory, { recursive: true, force: true });
});

interface Session {
  readonly cookie: string;
  readonly key: string;
}

async function signIn(body: object, client = browser): Promise<Session> {
  const answer = await client.post("/console/session", body);
  expect(answer.status).toBe(201);
  return { cookie: String(answer.headers["set-cookie"]).split(";")[0] ?? "", key: answer.body.key };
}

const headersOf = ({ cookie, key }: Session) => ({ cookie, "x-console-key": key });

async function newLink(): Promise<string> {
  const { status, body } = await admin.post("/console/links", {});
  expect(status).toBe(201);
  return new URL(body.link).hash.slice("#link=".length);
}

test("the link that is printed signs in once, as the administrator", async () => {
  const [, link] = /#link=(\S+)/.exec(server.output()) ?? [];
  const session = await signIn({ link });
  expect((await browser.post("/console/session", { link })).status).toBe(401);
  const about = await browser.ask("GET", "/console/session", { headers: headersOf(session) });
  expect(about.body.user).toMatchObject({ name: expect.stringContaining("admin") });
  const namespaces = await browser.ask("GET", "/console/server/api/v1/namespaces?limit=1", {
    headers: headersOf(session),
  });
  expect(namespaces.body).toMatchObject({ kind: "NamespaceList", items: [{}] });
});

test("the cookie is for this page alone, and no script reads it", async () => {
  const answer = await browser.post("/console/session", { link: await newLink() });
  expect(String(answer.headers["set-cookie"])).toMatch(
    /^__Secure-console-\d+=[\w-]{43}; Path=\/console\/; Max-Age=\d+; Secure; HttpOnly; SameSite=Strict$/,
  );
  expect(answer.headers["cache-control"]).toBe("no-store");
});

test("a user's own token signs in as that user, with that user's rights", async () => {
  const session = await signIn({ token: "user-token" });
  const answer = await browser.ask("GET", "/console/server/api/v1/secrets", { headers: headersOf(session) });
  expect(answer.status).toBe(403);
  expect(answer.body.message).toContain('User "ann" cannot list');
});

test("a client's certificate signs in as its user", async () => {
  const session = await signIn({ certificate: true }, admin);
  // The session goes on without the connection that showed it.
  const answer = await browser.ask("GET", "/console/server/api/v1/secrets?limit=1", {
    headers: headersOf(session),
  });
  expect(answer.status).toBe(200);
});

test("nobody signs in without valid credentials", async () => {
  for (const body of [{}, { link: "x" }, { token: "x" }, { token: "user-token\r\nx" }, { certificate: true }])
    expect((await browser.post("/console/session", body)).status).toBe(401);
  expect(
    (await browser.ask("POST", "/console/session", { raw: "[", contentType: "application/json" })).status,
  ).toBe(400);
  expect((await browser.post("/console/links", {})).status).toBe(401);
});

test("a request needs the cookie and the page's key, and comes from this page", async () => {
  const session = await signIn({ link: await newLink() });
  const { cookie, key } = session;
  const target = "/console/server/api/v1/namespaces";
  const write = { metadata: { name: "foreign" } };
  const refused: Record<string, string>[] = [
    {},
    { cookie },
    { "x-console-key": key },
    { cookie, "x-console-key": key.toLowerCase() },
    { cookie, "x-console-key": key, origin: "https://elsewhere.example.org" },
    { cookie, "x-console-key": key, origin: "https://127.0.0.1:1" },
    { cookie, "x-console-key": key, origin: "null" },
    { cookie, "x-console-key": key, "sec-fetch-site": "same-site" },
    { cookie, "x-console-key": key, "sec-fetch-site": "cross-site" },
    { cookie, "x-console-key": key, "sec-fetch-site": "none" },
  ];
  for (const headers of refused) {
    const read = await browser.ask("GET", target, { headers });
    const written = await browser.ask("POST", target, { headers, body: write });
    expect([headers, read.status, written.status]).toEqual([headers, 401, 401]);
  }
  const own = { ...headersOf(session), origin: server.url, "sec-fetch-site": "same-origin" };
  expect((await browser.ask("POST", target, { headers: own, body: write })).status).toBe(201);
});

test("another site's page signs nobody in", async () => {
  const body = { link: await newLink() };
  const headers = { origin: "https://elsewhere.example.org", "sec-fetch-site": "cross-site" };
  expect((await browser.ask("POST", "/console/session", { headers, body })).status).toBe(401);
  const form = { raw: JSON.stringify(body), contentType: "text/plain" };
  expect((await browser.ask("POST", "/console/session", form)).status).toBe(401);
  // The link was not used up.
  await signIn(body);
});

test("a browser's own credentials and foreign headers do not reach the server through the console", async () => {
  const session = await signIn({ token: "user-token" });
  const headers = { ...headersOf(session), "impersonate-user": "bob", "x-remote-user": "bob" };
  const answer = await admin.ask("GET", "/console/server/api/v1/secrets", { headers });
  expect(answer.body.message).toContain('User "ann"');
});

test("signing out ends the session", async () => {
  const session = await signIn({ link: await newLink() });
  const headers = headersOf(session);
  expect((await browser.ask("DELETE", "/console/session", { headers })).status).toBe(204);
  expect((await browser.ask("GET", "/console/server/version", { headers })).status).toBe(401);
});

test("the page forbids code and frames of others, without exception", async () => {
  const page = await browser.get("/console/");
  expect(page.status).toBe(200);
  const policy = String(page.headers["content-security-policy"]);
  expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'");
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).not.toMatch(/unsafe|https?:|data:|blob:|\*|nonce/);
  expect(page.headers).toMatchObject({
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cache-control": "no-cache",
  });
  expect(page.text).not.toMatch(/<style|<script(?![^>]*\bsrc=)|\son\w+=|style=|https?:/);
});

test("what the page consists of is compressed, and kept by the browser", async () => {
  const page = await browser.get("/console/");
  const names = [...page.text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, name]) => name ?? "");
  expect(names.length).toBeGreaterThan(2);
  for (const name of names) {
    const path = `/console/${name}`;
    const packed = await browser.ask("GET", path, { headers: { "accept-encoding": "gzip" } });
    expect([name, packed.status, packed.headers["content-encoding"]]).toEqual([name, 200, "gzip"]);
    const etag = String(packed.headers.etag);
    const again = await browser.ask("GET", path, { headers: { "if-none-match": etag } });
    expect([name, again.status, again.text]).toEqual([name, 304, ""]);
    if (!name.endsWith(".svg")) expect(packed.headers["cache-control"]).toContain("immutable");
    const plain = await browser.get(path);
    expect(plain.headers["content-encoding"]).toBeUndefined();
  }
  expect((await browser.get("/console/assets/../index.html")).status).not.toBe(200);
  expect((await browser.get("/console/assets/none.js")).status).toBe(404);
  expect((await browser.ask("POST", "/console/", {})).status).toBe(405);
  const redirect = await browser.get("/console");
  expect([redirect.status, redirect.headers.location]).toEqual([308, "/console/"]);
});

test("a path that only starts like the console's does not belong to it", async () => {
  expect((await admin.get("/consoles")).status).toBe(404);
});

test("the audit log shows who signs in, how, and who is refused, but no token or link", async () => {
  const log = join(directory, "audit.log");
  const policy = join(directory, "policy.yaml");
  const rules = [{ level: "RequestResponse", nonResourceURLs: ["/console/*"] }, { level: "None" }];
  writeFileSync(policy, JSON.stringify({ apiVersion: "audit.k8s.io/v1", kind: "Policy", rules }));
  const audited = await startServerHere({
    args: [
      `--token-auth-file=${join(directory, "tokens.csv")}`,
      `--audit-policy-file=${policy}`,
      `--audit-log-path=${log}`,
      "--audit-log-mode=blocking",
    ],
  });
  const [owner, guest] = [new ApiClient(audited), new ApiClient(audited, { anonymous: true })];
  try {
    const { link } = (await owner.post("/console/links", {})).body;
    const key = new URL(link).hash.slice("#link=".length);
    const session = await signIn({ link: key }, guest);
    await signIn({ token: "user-token" }, guest);
    await signIn({ certificate: true }, owner);
    await guest.ask("DELETE", "/console/session", { headers: headersOf(session) });
    for (const body of [{ link: key }, { token: "wrong-token" }, { certificate: true }, {}])
      expect((await guest.post("/console/session", body)).status).toBe(401);
    expect((await guest.post("/console/links", {})).status).toBe(401);

    const text = readFileSync(log, "utf8");
    const told = text
      .split("\n")
      .slice(0, -1)
      .map((line) => JSON.parse(line))
      .filter(({ stage }) => stage !== "RequestReceived")
      .map(({ requestURI, verb, user, responseStatus, annotations }) =>
        [
          verb,
          requestURI,
          user.username,
          responseStatus.code,
          annotations?.["authentication.k8s.io/console"] ?? responseStatus.message,
        ].join(" "),
      );
    const admin = "kubernetes-admin";
    const refused = (path: string, by: string) =>
      `post /console/${path}  401 Authentication failed, attempted: ${by}`;
    expect(told).toEqual([
      `post /console/links ${admin} 201 certificate`,
      `post /console/session ${admin} 201 link`,
      "post /console/session ann 201 token",
      `post /console/session ${admin} 201 certificate`,
      `delete /console/session ${admin} 204 session`,
      refused("session", "link"),
      refused("session", "token"),
      refused("session", "certificate"),
      refused("session", "nothing"),
      refused("links", "nothing"),
    ]);
    for (const secret of [key, "user-token", "wrong-token", session.key, session.cookie.split("=")[1] ?? "-"])
      expect(text).not.toContain(secret);
  } finally {
    await Promise.all([owner.close(), guest.close()]);
    await audited.dispose();
  }
});

test("there is no console with --console=off", async () => {
  const closed = await startServer({ args: ["--console=off"] });
  const client = new ApiClient(closed);
  try {
    expect(closed.output()).not.toContain("console");
    expect((await client.get("/console/")).status).toBe(404);
    expect((await client.post("/console/links", {})).status).toBe(404);
  } finally {
    await client.close();
    await closed.dispose();
  }
});
