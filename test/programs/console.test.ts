import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { ApiClient } from "../support/api-client.js";
import {
  barriersOn,
  lacksBrowser,
  type OpenedPage,
  openPage,
  type PageOptions,
  startBrowser,
} from "../support/browser.js";
import { startNodeAgent } from "../support/fake-node-agent.js";
import { startServerHere } from "../support/in-process-server.js";
import { type ServerProcess, startServer } from "../support/server-process.js";

const directory = mkdtempSync(join(tmpdir(), "console-page-"));
let server: ServerProcess;
let api: ApiClient;
let browser: Browser;

if (lacksBrowser !== undefined) console.warn(`the console is not tried in a browser: ${lacksBrowser}`);

describe.skipIf(lacksBrowser !== undefined)("the console in a browser", () => {
  beforeAll(async () => {
    writeFileSync(join(directory, "tokens.csv"), "reader-token,reader,1\nlister-token,lister,2\n");
    server = await startServer({
      args: [`--token-auth-file=${join(directory, "tokens.csv")}`, "--authorization-mode=RBAC"],
    });
    api = new ApiClient(server);
    browser = await startBrowser();
    await created("/api/v1/namespaces", { metadata: { name: "team" } });
  });

  afterAll(async () => {
    await browser?.close();
    await api?.close();
    await server?.dispose();
    rmSync(directory, { recursive: true, force: true });
  });

  async function created(path: string, object: object): Promise<void> {
    const { status, text } = await api.post(path, object);
    expect([status, status === 201 ? "" : text]).toEqual([201, ""]);
  }

  async function opened(
    options: PageOptions & { readonly link?: string; readonly origin?: string } = {},
  ): Promise<OpenedPage> {
    const made = await openPage(browser, options);
    onTestFinished(async () => {
      expect(made.faults).toEqual([]);
      expect([...made.origins]).toEqual([options.origin ?? server.url]);
      await made.close();
    });
    const link = options.link ?? (await api.post("/console/links", {})).body.link;
    await made.page.goto(link);
    return made;
  }

  /** Screenshots for the documentation, when `UPDATE_SCREENSHOTS=1` requests them. */
  async function picture(page: Page, name: string): Promise<void> {
    const bytes = await page.screenshot();
    expect(bytes.length).toBeGreaterThan(5000);
    if (process.env.UPDATE_SCREENSHOTS !== "1") return;
    mkdirSync("docs/console", { recursive: true });
    writeFileSync(`docs/console/${name}.png`, bytes);
  }

  const isTooWide = (page: Page) =>
    page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth");
  const nav = (page: Page, name: string) =>
    page.getByRole("navigation", { name: "Resources" }).getByRole("link", { name, exact: true });
  const rowOf = (page: Page, name: string) => page.getByRole("row").filter({ hasText: name });
  const editorOf = (page: Page) => page.getByRole("textbox", { name: "as YAML" });

  async function configMap(name: string, data: object): Promise<void> {
    await created("/api/v1/namespaces/team/configmaps", { metadata: { name }, data });
  }

  /** Replaces what the editor holds. */
  async function write(page: Page, change: (text: string) => string): Promise<void> {
    const editor = editorOf(page);
    await expect.poll(() => editor.innerText()).toContain("apiVersion");
    const text = (await editor.innerText()).replaceAll("\u00a0", " ");
    await editor.click();
    await page.keyboard.press("ControlOrMeta+a");
    await page.keyboard.press("Delete");
    // Typing would complete and indent.
    await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(change(text))})`);
    await page.keyboard.press("ControlOrMeta+v");
  }

  test("a user opens the printed link, finds a config map, edits it, and sees changes by another client", async () => {
    await configMap("settings", { colour: "red" });
    const [, link = ""] = /console\s+(\S+)/.exec(server.output()) ?? [];
    const { page, received } = await opened({ link });
    await page.getByRole("heading", { name: "What is in the server" }).waitFor();
    expect(page.url()).not.toContain("link=");
    expect(await received()).toBeLessThan(400 * 1024);

    await nav(page, "configmaps").click();
    await page.getByRole("searchbox", { name: "Search" }).fill("team sett");
    await page.getByRole("link", { name: "settings" }).click();
    await write(page, (text) => text.replace("colour: red", "colour: blue"));
    await page.getByRole("button", { name: "Review changes" }).click();
    const review = page.getByRole("dialog", { name: "Review changes" });
    // The client that made it holds the field.
    await review.getByText(".data.colour").waitFor();
    expect(await review.getByRole("button", { name: "Apply" }).isDisabled()).toBe(true);
    await review.getByLabel("Take these fields over").check();
    await expect
      .poll(() => review.getByLabel("What changes").innerText())
      .toMatch(/colour: red\s+colour: blue/);
    await picture(page, "review");
    await review.getByRole("button", { name: "Apply" }).click();
    await review.waitFor({ state: "hidden" });
    const path = "/api/v1/namespaces/team/configmaps/settings";
    const { body } = await api.get(path);
    expect(body.data).toEqual({ colour: "blue" });
    expect(body.metadata.managedFields).toContainEqual(
      expect.objectContaining({ manager: "console", operation: "Apply" }),
    );

    await api.patch(path, "application/merge-patch+json", { data: { size: "large" } });
    await expect.poll(() => editorOf(page).innerText()).toContain("size: large");
    await api.delete(path);
    await page.getByText("This object has been deleted").waitFor();
  });

  test("a link that was used signs nobody in, and a token does", async () => {
    const { link } = (await api.post("/console/links", {})).body;
    const { page } = await opened({ link });
    await page.getByRole("heading", { name: "What is in the server" }).waitFor();
    const second = await opened({ link });
    await second.page.getByText("This link was used before").waitFor();
    await second.page.getByLabel("Or sign in with a token").fill("reader-token");
    await second.page.getByRole("button", { name: "Sign in", exact: true }).click();
    await second.page.getByText("signed in as reader").waitFor();
    // A page that is loaded again goes on with its session, and one that signs out does not.
    await second.page.reload();
    await second.page.getByText("signed in as reader").waitFor();
    await second.page.getByRole("button", { name: "Sign out" }).click();
    await second.page.getByRole("heading", { name: "Sign in to the console" }).waitFor();
    await second.page.reload();
    await second.page.getByRole("heading", { name: "Sign in to the console" }).waitFor();
    // Opened in the same tab, which loads nothing then.
    await second.page.goto((await api.post("/console/links", {})).body.link);
    await second.page.getByRole("heading", { name: "What is in the server" }).waitFor();
    expect(second.page.url()).not.toContain("link=");
  });

  test("a user without rights sees and does what the rights are, nothing more", async () => {
    await configMap("readable", { a: "1" });
    const rules = [{ apiGroups: [""], resources: ["configmaps"], verbs: ["get", "list", "watch"] }];
    const group = "/apis/rbac.authorization.k8s.io/v1/namespaces/team";
    await created(`${group}/roles`, { metadata: { name: "reader" }, rules });
    await created(`${group}/rolebindings`, {
      metadata: { name: "reader" },
      roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name: "reader" },
      subjects: [{ kind: "User", name: "reader", apiGroup: "rbac.authorization.k8s.io" }],
    });
    const { page } = await opened({ link: `${server.url}/console/` });
    await page.getByLabel("Or sign in with a token").fill("reader-token");
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await page.getByText("signed in as reader").waitFor();
    await page.goto(`${server.url}/console/#/list/-/configmaps?ns=team`);
    await rowOf(page, "readable").waitFor();
    await nav(page, "configmaps").waitFor();
    await expect.poll(() => nav(page, "secrets").count()).toBe(0);
    expect(await page.getByRole("link", { name: "New" }).count()).toBe(0);

    await page.getByRole("link", { name: "readable" }).click();
    await page.getByText("You may not change this object").waitFor();
    await expect.poll(() => editorOf(page).getAttribute("aria-readonly")).toBe("true");
    expect(await page.getByRole("button", { name: "Delete" }).count()).toBe(0);

    await page.goto(`${server.url}/console/#/list/-/secrets?ns=team`);
    await page.getByText('User "reader" cannot list resource "secrets"').waitFor();
  });

  test("what a user may list and not watch is shown all the same", async () => {
    await configMap("listed", { a: "1" });
    const rules = [{ apiGroups: [""], resources: ["configmaps"], verbs: ["get", "list"] }];
    const group = "/apis/rbac.authorization.k8s.io/v1/namespaces/team";
    await created(`${group}/roles`, { metadata: { name: "lister" }, rules });
    await created(`${group}/rolebindings`, {
      metadata: { name: "lister" },
      roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name: "lister" },
      subjects: [{ kind: "User", name: "lister", apiGroup: "rbac.authorization.k8s.io" }],
    });
    const { page } = await opened({ link: `${server.url}/console/` });
    await page.getByLabel("Or sign in with a token").fill("lister-token");
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await page.getByText("signed in as lister").waitFor();
    const refusedWatch = () =>
      page.waitForResponse(
        (answer) => answer.url().includes("/configmaps?watch=1") && answer.status() === 403,
      );
    const ofList = refusedWatch();
    await page.goto(`${server.url}/console/#/list/-/configmaps?ns=team`);
    await (await ofList).finished();
    await rowOf(page, "listed").waitFor();
    expect(await page.getByRole("alert").count()).toBe(0);
    const ofObject = refusedWatch();
    await page.getByRole("link", { name: "listed" }).click();
    await (await ofObject).finished();
    await expect.poll(() => editorOf(page).innerText()).toContain("name: listed");
    expect(await page.getByRole("alert").count()).toBe(0);
  });

  test("2,000 objects appear as they are created, and few of them are drawn", async () => {
    await created("/api/v1/namespaces", { metadata: { name: "many" } });
    const { page } = await opened();
    await page.goto(`${server.url}/console/#/list/-/configmaps?ns=many`);
    await page.getByText("live", { exact: true }).waitFor();
    const names = Array.from({ length: 2000 }, (_, index) => `object-${index}`);
    const work = async (): Promise<void> => {
      for (let name = names.pop(); name !== undefined; name = names.pop())
        await created("/api/v1/namespaces/many/configmaps", { metadata: { name } });
    };
    await Promise.all(Array.from({ length: 16 }, work));
    // Those, and the one with the authority's certificate.
    await expect.poll(() => page.getByRole("status").first().innerText()).toBe("2001");
    const grid = page.getByRole("grid", { name: "configmaps" });
    expect(await grid.getAttribute("aria-rowcount")).toBe("2002");
    expect(await page.getByRole("row").count()).toBeLessThan(100);
    await grid.focus();
    await page.keyboard.press("End");
    await rowOf(page, "object-1999").waitFor();
    expect(await page.getByRole("row").count()).toBeLessThan(100);
    await page.keyboard.press("Home");
    await page.keyboard.press("PageDown");
    await page.keyboard.press("ArrowUp");
    const active = await grid.getAttribute("aria-activedescendant");
    const name = await page.locator(`#${active} a`).innerText();
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name }).waitFor();
  }, 300_000);

  test("a custom resource that was not there at the start is found, made, shown with its columns and changed", async () => {
    const { page } = await opened();
    await page.getByRole("heading", { name: "What is in the server" }).waitFor();
    await created("/apis/apiextensions.k8s.io/v1/customresourcedefinitions", boats);
    await nav(page, "boats").click();
    await page.getByRole("link", { name: "New" }).click();
    await write(page, (text) =>
      text.replace('name: ""', "name: titanic").replace(/\s*$/, "\nspec:\n  length: 269\n"),
    );
    await page.getByRole("button", { name: "Review changes" }).click();
    await page.getByRole("button", { name: "Apply" }).click();
    await page.getByRole("heading", { name: "titanic" }).waitFor();
    await nav(page, "boats").click();
    await expect.poll(() => rowOf(page, "titanic").innerText()).toContain("269");
    await api.patch(
      "/apis/sea.example.com/v1/namespaces/default/boats/titanic",
      "application/merge-patch+json",
      {
        spec: { length: 270 },
      },
    );
    await expect.poll(() => rowOf(page, "titanic").innerText()).toContain("270");

    // The schema helps where the key is.
    await page.getByRole("link", { name: "titanic" }).click();
    await page.getByText("length", { exact: true }).hover();
    await page.getByText("Metres from bow to stern.").waitFor();
    await picture(page, "help");
  });

  test("an edit that removes what others hold says so, and can replace the object", async () => {
    await configMap("shrinking", { stays: "1", goes: "2" });
    const { page } = await opened();
    await page.goto(`${server.url}/console/#/object/-/configmaps/team/shrinking`);
    await write(page, (text) => text.replace(/\s*goes: .*/, ""));
    await page.getByRole("button", { name: "Review changes" }).click();
    await page.getByText("Other managers hold fields that you removed").waitFor();
    await page.getByText(".data.goes").waitFor();
    await page.getByLabel("Write the whole object instead").check();
    await expect.poll(() => page.getByLabel("What changes").innerText()).toContain("goes");
    await page.getByRole("button", { name: "Apply" }).click();
    await expect
      .poll(async () => (await api.get("/api/v1/namespaces/team/configmaps/shrinking")).body.data)
      .toEqual({ stays: "1" });
  });

  test("an edit takes ownership only of what it changes, even next to large numbers", async () => {
    const services = "/api/v1/namespaces/team/services";
    await created(services, { metadata: { name: "numbers" }, spec: { ports: [{ port: 80 }] } });
    const { page } = await opened();
    await page.goto(`${server.url}/console/#/object/-/services/team/numbers`);
    await write(page, (text) => text.replace("port: 80", "port: 80\n      name: http"));
    await page.getByRole("button", { name: "Review changes" }).click();
    await expect.poll(() => page.getByLabel("What changes").innerText()).toContain("name: http");
    await page.getByRole("button", { name: "Apply" }).click();
    await page.getByRole("dialog").waitFor({ state: "hidden" });
    const { body } = await api.get(`${services}/numbers`);
    const { fieldsV1 } = body.metadata.managedFields.find(
      ({ manager }: { manager: string }) => manager === "console",
    );
    const key = 'k:{"port":80,"protocol":"TCP"}';
    expect(fieldsV1).toEqual({
      "f:spec": { "f:ports": { [key]: { ".": {}, "f:name": {}, "f:port": {}, "f:protocol": {} } } },
    });
  });

  test("an edit survives a change of tab, of page, and the end of the session", async () => {
    await configMap("drafted", { colour: "red" });
    const { page } = await opened();
    await page.getByRole("heading", { name: "What is in the server" }).waitFor();
    await page.goto(`${server.url}/console/#/object/-/configmaps/team/drafted`);
    await write(page, (text) => text.replace("colour: red", "colour: blue"));
    await page.getByRole("tab", { name: "Events" }).click();
    await page.getByRole("tab", { name: "YAML" }).click();
    await expect.poll(() => editorOf(page).innerText()).toContain("colour: blue");
    await nav(page, "configmaps").click();
    await page.goBack();
    await expect.poll(() => editorOf(page).innerText()).toContain("colour: blue");
    expect(await page.getByText("The object has changed since you began").count()).toBe(0);

    // As when the server has started again. At once, before another request ends the session.
    await page.evaluate("localStorage.clear(); document.querySelector('.tab button.primary').click()");
    await page.getByText("The session has ended.").waitFor();
    await page.goto((await api.post("/console/links", {})).body.link);
    await page.getByRole("heading", { name: "What is in the server" }).waitFor();
    await page.goBack();
    await expect.poll(() => editorOf(page).innerText()).toContain("colour: blue");
    await page.getByRole("button", { name: "Discard" }).click();
    await expect.poll(() => editorOf(page).innerText()).toContain("colour: red");
  });

  test("a new object changes none that is there, and an object keeps its name", async () => {
    await configMap("first", { a: "1" });
    const { page } = await opened();
    const isRefused = async (why: string): Promise<void> => {
      await page.getByRole("button", { name: "Review changes" }).click();
      await page.getByRole("alert").filter({ hasText: why }).waitFor();
      expect(await page.getByRole("button", { name: "Apply" }).isDisabled()).toBe(true);
      await page.getByRole("button", { name: "Back to the text" }).click();
    };
    await page.goto(`${server.url}/console/#/object/-/configmaps/team/`);
    await write(page, (text) => `${text.trimEnd()}\ndata:\n  b: "2"\n`);
    await isRefused("metadata.name: Required value");
    await write(page, (text) => text.replace('name: ""', "name: first"));
    await isRefused('configmaps "first" already exists');
    await page.goto(`${server.url}/console/#/object/-/configmaps/team/first`);
    await write(page, (text) => text.replace("name: first", "name: second"));
    await isRefused("the name of the object (second) does not match the name on the URL (first)");
    expect((await api.get("/api/v1/namespaces/team/configmaps/first")).body.data).toEqual({ a: "1" });
  });

  test("a manifest is read as kubectl reads it", async () => {
    await configMap("words", { answer: "yes", number: "012" });
    const { page } = await opened();
    await page.goto(`${server.url}/console/#/object/-/configmaps/team/words`);
    await write(page, (text) => {
      expect(text).toContain('answer: "yes"');
      return `${text.trimEnd()}\n  more: off\n`;
    });
    await page.getByRole("button", { name: "Review changes" }).click();
    await page.getByRole("alert").filter({ hasText: ".data.more: expected string" }).waitFor();
    await page.getByRole("button", { name: "Back to the text" }).click();
    await write(page, (text) => text.replace("more: off", 'more: "off"').replace("012", "013"));
    await page.getByRole("button", { name: "Review changes" }).click();
    await page.getByLabel("Take these fields over").check();
    await expect.poll(() => page.getByRole("button", { name: "Apply" }).isDisabled()).toBe(false);
    await page.getByRole("button", { name: "Apply" }).click();
    await expect
      .poll(async () => (await api.get("/api/v1/namespaces/team/configmaps/words")).body.data)
      .toEqual({ answer: "yes", number: "013", more: "off" });
  });

  test("a name may contain characters that separate selectors", async () => {
    await created("/apis/rbac.authorization.k8s.io/v1/clusterroles", {
      metadata: { name: "a,b=c" },
      rules: [],
    });
    const { page } = await opened();
    await page.goto(`${server.url}/console/#/object/rbac.authorization.k8s.io/clusterroles/-/a%2Cb%3Dc`);
    await expect.poll(() => editorOf(page).innerText()).toContain("name: a,b=c");
    expect(await page.getByRole("alert").count()).toBe(0);
  });

  test("a refusal of the server is shown before anything is written", async () => {
    await configMap("strict", { a: "1" });
    const { page } = await opened();
    await page.goto(`${server.url}/console/#/object/-/configmaps/team/strict`);
    await write(page, (text) => `${text.trimEnd()}\n  "not a key": x\n`);
    await page.getByRole("button", { name: "Review changes" }).click();
    await page.getByRole("alert").filter({ hasText: "a valid config key must consist of" }).waitFor();
    expect(await page.getByRole("button", { name: "Apply" }).isDisabled()).toBe(true);
    await page.getByRole("button", { name: "Back to the text" }).click();
    await write(page, () => "apiVersion: v1\n kind: [");
    await page.getByRole("button", { name: "Review changes" }).click();
    await page.getByRole("alert").waitFor();
  });

  test("an object is deleted after a question", async () => {
    await configMap("leaving", {});
    const { page } = await opened();
    await page.goto(`${server.url}/console/#/object/-/configmaps/team/leaving`);
    await page.getByRole("button", { name: "Delete" }).click();
    const question = page.getByRole("dialog", { name: "Delete ConfigMap leaving?" });
    await question.getByRole("button", { name: "Delete" }).click();
    await page.getByText("This object has been deleted").waitFor();
    expect((await api.get("/api/v1/namespaces/team/configmaps/leaving")).status).toBe(404);
  });

  test("owners, dependents and events of an object are shown", async () => {
    const apps = "/apis/apps/v1/namespaces/team";
    const deployment = await api.post(`${apps}/deployments`, deploymentOf("web"));
    const replicas = await api.post(`${apps}/replicasets`, {
      ...deploymentOf("web-5d8f"),
      kind: "ReplicaSet",
      metadata: { name: "web-5d8f", ownerReferences: [ownerOf(deployment.body)] },
    });
    for (const suffix of ["aaaaa", "bbbbb", "ccccc"])
      await created("/api/v1/namespaces/team/pods", {
        metadata: { name: `web-5d8f-${suffix}`, ownerReferences: [ownerOf(replicas.body)] },
        spec: { containers: [{ name: "web", image: "nginx" }] },
      });
    await created("/api/v1/namespaces/team/events", {
      metadata: { name: "scaled", namespace: "team" },
      involvedObject: {
        kind: "Deployment",
        name: "web",
        namespace: "team",
        uid: deployment.body.metadata.uid,
      },
      reason: "ScalingReplicaSet",
      message: "Scaled up replica set web-5d8f to 3",
      type: "Normal",
    });
    const { page } = await opened();
    await page.goto(`${server.url}/console/#/object/apps/replicasets/team/web-5d8f`);
    await page.getByRole("tab", { name: "Owners and dependents" }).click();
    await page.getByRole("status").filter({ hasText: "4 owners and dependents" }).waitFor();
    await picture(page, "relations");
    await page.locator("svg a").filter({ hasText: "Deployment" }).click();
    await page.getByRole("heading", { name: "web", exact: true }).waitFor();
    await page.getByRole("tab", { name: "Events" }).click();
    await rowOf(page, "Scaled up replica set").waitFor();
  });

  test("hostile names and texts are shown as text", async () => {
    const hostile = `<img src=x onerror="alert(1)"><script>alert(2)</script>`;
    await configMap("hostile", { [`a-${"b".repeat(20)}`]: hostile, yaml: `!!js/function "alert(3)"\n- *x` });
    await created("/api/v1/namespaces/team/events", {
      metadata: { name: "hostile", namespace: "team" },
      involvedObject: { kind: hostile, name: hostile, namespace: "team" },
      reason: hostile,
      message: hostile,
      type: hostile,
    });
    const { page } = await opened();
    await page.goto(`${server.url}/console/#/list/-/events?ns=team`);
    await rowOf(page, hostile).waitFor();
    await page.goto(`${server.url}/console/#/object/-/configmaps/team/hostile`);
    await expect.poll(() => editorOf(page).innerText()).toContain(hostile);
    expect(await editorOf(page).innerText()).toContain("!!js/function");
    expect(await page.locator("img").count()).toBe(0);
    for (const address of [
      `#/list/-/${encodeURIComponent(hostile)}`,
      `#/object/-/configmaps/team/${encodeURIComponent(hostile)}`,
      `#/object/-/configmaps/${encodeURIComponent("../../..")}/x`,
      "#/list/%E0%A4%A/%",
    ]) {
      await page.goto(`${server.url}/console/${address}`);
      await page
        .getByRole("main")
        .getByText(/has no|not found|Not Found|invalid|could not/)
        .first()
        .waitFor();
      expect(await page.locator("img").count()).toBe(0);
    }
  });

  test("another site's page cannot act, although the browser has a session", async () => {
    const { page } = await opened();
    await page.getByRole("heading", { name: "What is in the server" }).waitFor();
    const target = `${server.url}/console/server/api/v1/namespaces`;
    const body = JSON.stringify({ apiVersion: "v1", kind: "Namespace", metadata: { name: "forged", x: "" } });
    // The name of a field and its value make a body of JSON, which is how such forms are forged.
    const [name, value] = body.split('"x":"', 2).map((part) => part.replaceAll('"', "&quot;"));
    const site = createServer((_, answer) => {
      answer.setHeader("Content-Type", "text/html");
      answer.end(
        `<form method="post" enctype="text/plain" action="${target}"><input name="${name}&quot;x&quot;:&quot;" value="${value}"><button>go</button></form>`,
      );
    });
    await new Promise<void>((resolve) => site.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void site.close());
    const elsewhere = await page.context().newPage();
    const address = site.address();
    await elsewhere.goto(`http://localhost:${typeof address === "object" ? address?.port : ""}/`);
    const forged = elsewhere.waitForResponse((response) => response.url() === target);
    await elsewhere.getByRole("button", { name: "go" }).click();
    expect((await forged).status()).toBe(401);
    expect((await api.get("/api/v1/namespaces/forged")).status).toBe(404);
    // Nor can it be opened like a page: a link cannot carry the page's key.
    expect((await page.goto(target))?.status()).toBe(401);
  });

  test("the server's page plots its metrics", async () => {
    const { page } = await opened();
    await nav(page, "Server").click();
    await page.getByText("Ready", { exact: true }).waitFor();
    await expect.poll(() => page.locator(".chart canvas").count()).toBeGreaterThan(10);
    const requests = page.locator(".tile").filter({ hasText: "requests so far" });
    for (let round = 0; round < 6; round++) {
      const before = await requests.innerText();
      for (let count = 0; count < 5 + 20 * (round % 3); count++)
        await configMap(`load-${round}-${count}`, {});
      await expect.poll(() => requests.innerText()).not.toBe(before);
    }
    await expect
      .poll(() => page.locator("figure").filter({ hasText: "Requests by verb" }).innerText())
      .toMatch(/POST [1-9][\d.]*\/s/);
    const watchers = new AbortController();
    onTestFinished(() => watchers.abort());
    const watch = api.watch("/api/v1/namespaces/team/configmaps?watch=1", watchers.signal);
    await watch.next();
    let changes = 0;
    await expect
      .poll(async () => {
        await configMap(`late-${changes++}`, {});
        return await page.locator("figure").filter({ hasText: "from a commit to its event" }).innerText();
      })
      .toMatch(/p50 [\d.]+ [mµ]?s/);
    await page.getByRole("region", { name: "Priority levels" }).getByText("catch-all").waitFor();
    await picture(page, "server");
  });

  test("the lab has a button for each action", async () => {
    const own = await startServerHere({ args: ["--lab"] });
    const client = new ApiClient(own);
    onTestFinished(async () => {
      await client.close();
      await own.dispose();
    });
    const { link } = (await client.post("/console/links", {})).body;
    const { page } = await opened({ link, origin: own.url });
    await nav(page, "Lab").click();
    await page.getByLabel("Name of the snapshot").fill("before");
    await page.getByRole("button", { name: "Take a snapshot" }).click();
    await page.getByText("A snapshot is taken").waitFor();
    const path = "/api/v1/namespaces/default/configmaps";
    await client.post(path, { metadata: { name: "later" } });
    await page.getByRole("button", { name: "Rewind to before" }).click();
    await page.getByText("Back at before").waitFor();
    expect((await client.get(`${path}/later`)).status).toBe(404);

    const before = Date.parse((await client.get("/lab/clock")).body.now);
    await page.getByRole("button", { name: "+24h" }).click();
    await page.getByText("The clock is 24h further").waitFor();
    expect(Date.parse((await client.get("/lab/clock")).body.now) - before).toBeGreaterThan(
      24 * 3_600_000 - 1,
    );
    await page.getByRole("button", { name: "Freeze" }).click();
    await page.getByText("The clock stands still").waitFor();
    expect((await client.get("/lab/clock")).body.frozen).toBe(true);

    await page.getByLabel("Begin from").selectOption("before");
    await page.getByRole("button", { name: "Fork" }).click();
    await page.getByText("A fork has begun").waitFor();
    const [{ name }] = (await client.get("/lab/forks")).body.items;

    await page.getByLabel("Whom storms meet").fill("manager/*");
    await page.getByRole("button", { name: "conflicts" }).click();
    await page.getByText("The storm conflicts has begun").waitFor();
    await page.getByText("conflicts-update").waitFor();
    await picture(page, "lab");
    await page.getByRole("button", { name: "conflicts", pressed: true }).click();
    await page.getByText("The storm conflicts is over").waitFor();
    expect((await client.get("/lab/faults")).body.items).toEqual([]);
    await page.getByRole("button", { name: `End ${name}` }).click();
    await page.getByText(`${name} has ended`).waitFor();
    await page.getByLabel("Advance by").fill("soon");
    await page.getByRole("button", { name: "Advance" }).click();
    await page.getByRole("alert").waitFor();
  });

  test("nodes and pods of a simulated cluster come, go, crash and come back", async () => {
    const own = await startServerHere({ args: ["--lab", "--simulate"] });
    const client = new ApiClient(own);
    onTestFinished(async () => {
      await client.close();
      await own.dispose();
    });
    const { link } = (await client.post("/console/links", {})).body;
    const { page } = await opened({ link, origin: own.url });
    await nav(page, "Lab").click();
    const nodeOf = (name: string) => page.getByRole("list", { name: "nodes" }).getByText(name);
    const item = (name: string) =>
      page.getByRole("listitem").filter({ has: page.getByRole("link", { name, exact: true }) });
    await nodeOf("node-0").waitFor();
    await page.getByRole("button", { name: "Add a node" }).click();
    await nodeOf("node-1").waitFor();
    await expect.poll(() => item("node-1").innerText()).toMatch(/\bReady/);
    await page.getByRole("button", { name: "Not ready: node-1" }).click();
    await expect.poll(() => item("node-1").innerText()).toContain("NotReady");
    await page.getByRole("button", { name: "Come back: node-1" }).click();
    await expect.poll(() => item("node-1").innerText()).not.toContain("NotReady");
    // It takes the cluster a while to notice: the lab's clock need not wait for it.
    await page.getByRole("button", { name: "Go away: node-1" }).click();
    await page.getByText("node-1 is gone").waitFor();
    await page.getByRole("button", { name: "+1m" }).click();
    await expect.poll(() => item("node-1").innerText()).toContain("NotReady");

    await page.getByRole("button", { name: "Add a pod" }).click();
    await expect.poll(() => page.getByRole("list", { name: "pods" }).innerText()).toContain("1/1 Running");
    const path = "/api/v1/namespaces/default/pods";
    const [{ metadata }] = (await client.get(path)).body.items;
    const button = (what: string) => page.getByRole("button", { name: `${what}: ${metadata.name}` });
    await button("Crash").click();
    await expect.poll(() => item(metadata.name).innerText()).toContain("CrashLoopBackOff");
    await picture(page, "simulation");
    await button("Run").click();
    await expect.poll(() => item(metadata.name).innerText()).toContain("1/1 Running");
    await button("Fail probe").click();
    await expect.poll(() => item(metadata.name).innerText()).toContain("0/1 Running");
    await button("End").click();
    const state = async () =>
      (await client.get(`${path}/${metadata.name}`)).body.status.containerStatuses[0].lastState.terminated;
    await expect.poll(state).toMatchObject({ exitCode: 0, reason: "Completed" });
  });

  test("an object's versions are shown, and one is written again after a question", async () => {
    const users = join(directory, "viewers.csv");
    writeFileSync(users, "viewer-token,viewer,1\n");
    const own = await startServerHere({
      args: ["--lab", `--token-auth-file=${users}`, "--authorization-mode=RBAC"],
    });
    const client = new ApiClient(own);
    onTestFinished(async () => {
      await client.close();
      await own.dispose();
    });
    const maps = "/api/v1/namespaces/default/configmaps";
    const painted = {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name: "wall" },
      data: { colour: "red" },
    };
    const [made, { body: changed }] = [
      (await client.post(`${maps}?fieldManager=painter`, painted)).body,
      await client.patch(`${maps}/wall?fieldManager=other`, "application/merge-patch+json", {
        data: { colour: "blue", size: "3" },
      }),
    ];
    const { link } = (await client.post("/console/links", {})).body;
    const { page } = await opened({ link, origin: own.url });
    await page.getByRole("heading", { name: "What is in the server" }).waitFor();
    await page.goto(`${own.url}/console/#/object/-/configmaps/default/wall`);
    await page.getByRole("tab", { name: "History" }).click();
    const versions = page.getByRole("list", { name: "Versions" }).locator(":scope > li");
    await expect.poll(() => versions.count()).toBe(2);
    expect(await versions.nth(0).innerText()).toMatch(/updated.*by other.*data\.colour.*red.*blue/s);
    expect(await versions.nth(1).innerText()).toMatch(/created.*by painter/s);
    expect(await versions.nth(0).getByRole("button").count()).toBe(0);
    await picture(page, "history");

    // Another client's change is a further version, and the end of the object too.
    const hostile = "<img src=x onerror=alert(1)>";
    await client.patch(`${maps}/wall`, "application/merge-patch+json", { data: { hostile } });
    await expect.poll(() => versions.nth(0).innerText()).toContain(hostile);
    await client.delete(`${maps}/wall`);
    await expect.poll(() => versions.nth(0).innerText()).toContain("deleted");

    const back = page.getByRole("button", { name: `Go back to version ${changed.metadata.resourceVersion}` });
    const question = page.getByRole("dialog", { name: "Go back to version" });
    await back.click();
    await question.getByRole("button", { name: "Leave it" }).click();
    expect((await client.get(`${maps}/wall`)).status).toBe(404);
    await back.click();
    await question.getByRole("button", { name: "Go back", exact: true }).click();
    await question.waitFor({ state: "hidden" });
    await expect.poll(() => versions.count()).toBe(5);
    const { body } = await client.get(`${maps}/wall`);
    expect([body.data, body.metadata.uid]).toEqual([changed.data, made.metadata.uid]);
    await page.getByRole("tab", { name: "YAML" }).click();
    await expect.poll(() => editorOf(page).innerText()).toContain("colour: blue");

    // Who may read the object but not its history does not see the tab; nor is there one without a lab.
    const rbac = "/apis/rbac.authorization.k8s.io/v1";
    await client.post(`${rbac}/clusterrolebindings`, {
      metadata: { name: "viewer" },
      roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "view" },
      subjects: [{ kind: "User", name: "viewer", apiGroup: "rbac.authorization.k8s.io" }],
    });
    const { page: viewers } = await opened({ link: `${own.url}/console/`, origin: own.url });
    await viewers.getByLabel("Or sign in with a token").fill("viewer-token");
    await viewers.getByRole("button", { name: "Sign in", exact: true }).click();
    await viewers.getByText("signed in as viewer").waitFor();
    await configMap("wall", {});
    const { page: elsewhere } = await opened();
    await elsewhere.getByRole("heading", { name: "What is in the server" }).waitFor();
    for (const [each, address] of [
      [viewers, `${own.url}/console/#/object/-/configmaps/default/wall?tab=history`],
      [elsewhere, `${server.url}/console/#/object/-/configmaps/team/wall?tab=history`],
    ] as const) {
      await each.goto(address);
      await expect.poll(() => editorOf(each).innerText()).toContain("name: wall");
      expect(await each.getByRole("tab", { name: "History" }).count()).toBe(0);
    }
  });

  test("a list stays right when watches end, expire and are refused", async () => {
    const own = await startServerHere({ args: ["--lab"] });
    const client = new ApiClient(own);
    onTestFinished(async () => {
      await client.close();
      await own.dispose();
    });
    const path = "/api/v1/namespaces/default/configmaps";
    const { link } = (await client.post("/console/links", {})).body;
    const { page } = await opened({ link, origin: own.url });
    // The browser's requests alone.
    await client.post("/lab/storms/informer?seed=7&userAgent=Mozilla/*", {});
    await page.goto(`${own.url}/console/#/list/-/configmaps?ns=default`);
    await page.getByText("live", { exact: true }).waitFor();
    for (let index = 0; index < 60; index++) {
      await client.post(path, { metadata: { name: `object-${index}` }, data: { round: "0" } });
      if (index % 3 === 0) await client.delete(`${path}/object-${index}`);
      else if (index % 3 === 1)
        await client.patch(`${path}/object-${index}`, "application/merge-patch+json", {
          data: { more: "1" },
        });
    }
    await expect
      .poll(async () => {
        // A watch that has ended begins again with the next change at the latest.
        await client.patch(`${path}/object-1`, "application/merge-patch+json", {
          data: { at: `${Date.now()}` },
        });
        return await page.locator(".count").innerText();
      })
      .toBe("41");
    const { injected } = (await client.ask("DELETE", "/lab/storms/informer")).body;
    const hits = Object.values<number>(injected).reduce((sum, each) => sum + each, 0);
    expect(hits).toBeGreaterThan(0);
    const named = (await client.get(path)).body.items.map(
      (item: { metadata: { name: string } }) => item.metadata.name,
    );
    const shown = await page.locator(".grid .rows a").allInnerTexts();
    expect(shown.every((name) => named.includes(name))).toBe(true);
    await expect.poll(() => rowOf(page, "object-1").first().innerText()).toMatch(/object-1\s+3/);
  });

  test("the log of a container is shown as it is written", async () => {
    const agent = await startNodeAgent(join(directory, "agent"));
    const own = await startServerHere({
      args: [
        `--kubelet-certificate-authority=${agent.caFile}`,
        `--kubelet-client-certificate=${agent.clientCertFile}`,
        `--kubelet-client-key=${agent.clientKeyFile}`,
        "--kubelet-preferred-address-types=InternalIP",
      ],
    });
    const client = new ApiClient(own);
    onTestFinished(async () => {
      await client.close();
      await own.dispose();
      await agent.close();
    });
    const status = {
      addresses: [{ type: "InternalIP", address: "127.0.0.1" }],
      daemonEndpoints: { kubeletEndpoint: { Port: agent.port } },
    };
    await client.post("/api/v1/nodes", { metadata: { name: "real" }, status });
    const containers = ["left", "right"].map((name) => ({ name, image: "i" }));
    await client.post("/api/v1/namespaces/default/pods", {
      metadata: { name: "pair" },
      spec: { nodeName: "real", containers },
    });
    const { link } = (await client.post("/console/links", {})).body;
    const { page } = await opened({ link, origin: own.url });
    await page.goto(`${own.url}/console/#/object/-/pods/default/pair?tab=logs`);
    await page.getByRole("log", { name: "Log of left" }).getByText("line 1").waitFor();
    await page.getByRole("combobox", { name: "Container" }).selectOption("right");
    await page.getByRole("log", { name: "Log of right" }).getByText("line 1").waitFor();
    // Leaving the page ends the request.
    await nav(page, "configmaps").click();
    await agent.followingEnded;
  });

  test("it is usable at a width of 360 pixels, in dark mode, and by keyboard", async () => {
    await configMap("narrow", { text: "x".repeat(400) });
    const { page } = await opened({ width: 360, height: 740, dark: true });
    for (const address of [
      "#/",
      "#/server",
      "#/list/-/configmaps?ns=team",
      "#/object/-/configmaps/team/narrow",
      "#/object/-/configmaps/team/narrow?tab=relations",
    ]) {
      await page.goto(`${server.url}/console/${address}`);
      await page.getByRole("heading").first().waitFor();
      expect([address, await isTooWide(page)]).toEqual([address, false]);
    }
    await page.getByRole("button", { name: "Navigation" }).click();
    await nav(page, "namespaces").click();
    await rowOf(page, "kube-system").waitFor();
    await page.getByRole("grid").focus();
    await page.keyboard.press("Home");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "default" }).waitFor();
    const background = () => page.evaluate("getComputedStyle(document.body).backgroundColor");
    const dark = await background();
    await page.getByRole("combobox", { name: "Colours" }).selectOption("light");
    expect(await background()).not.toBe(dark);
  });

  test("it is accessible to screen readers, in light mode, and in dark mode on a small screen", async () => {
    const own = await startServerHere({ args: ["--lab", "--simulate"] });
    const client = new ApiClient(own);
    onTestFinished(async () => {
      await client.close();
      await own.dispose();
    });
    const maps = "/api/v1/namespaces/default/configmaps";
    await client.post(maps, { metadata: { name: "plain" }, data: { text: "a" } });
    await client.patch(`${maps}/plain`, "application/merge-patch+json", { data: { text: "b" } });
    await client.post("/api/v1/namespaces/default/pods", {
      metadata: { name: "app" },
      spec: { containers: [{ name: "app", image: "app" }] },
    });
    await client.post("/lab/snapshots?name=begin", {});
    const found: string[] = [];
    for (const dark of [false, true]) {
      const { page } = await opened({
        link: `${own.url}/console/`,
        origin: own.url,
        dark,
        ...(dark && { width: 360, height: 740 }),
      });
      const look = async (where: string): Promise<void> => {
        const barriers = [...(await barriersOn(page)), ...((await isTooWide(page)) ? ["too wide"] : [])];
        found.push(...barriers.map((barrier) => `${where} (${dark ? "dark" : "light"}): ${barrier}`));
      };
      await page.getByRole("heading", { name: "Sign in" }).waitFor();
      await look("sign in");
      await page.goto((await client.post("/console/links", {})).body.link);
      await expect.poll(() => page.locator(".tile").count()).toBeGreaterThan(8);
      await look("overview");
      const object = "#/object/-/configmaps/default/plain";
      for (const [address, sign] of [
        ["#/server", page.locator(".chart canvas").nth(10)],
        ["#/lab", page.getByRole("button", { name: "Crash: app" })],
        ["#/list/-/pods", rowOf(page, "app")],
        [`${object}?tab=history`, page.getByRole("button", { name: "Go back to version" })],
        [`${object}?tab=events`, page.getByText("No events")],
        ["#/object/-/pods/default/app?tab=events", rowOf(page, "Started")],
        ["#/object/-/pods/default/app?tab=relations", page.getByText("no owners")],
        ["#/object/-/pods/default/app?tab=logs", page.getByRole("log")],
        [object, editorOf(page)],
      ] as const) {
        await page.goto(`${own.url}/console/${address}`);
        await sign.first().waitFor();
        await look(address);
      }
      await page.getByRole("button", { name: "Delete" }).click();
      await look("question");
      await page.keyboard.press("Escape");
      await write(page, (text) => text.replace("text: b", "text: c"));
      await page.getByRole("button", { name: "Review changes" }).click();
      await page.getByText("Other managers have set fields").waitFor();
      await look("conflicts");
    }
    expect(found).toEqual([]);
  });

  test("screenshots of the lists", async () => {
    const { page } = await opened();
    await expect.poll(() => page.locator(".tile").count()).toBeGreaterThan(8);
    await picture(page, "overview");
    await page.goto(`${server.url}/console/#/list/rbac.authorization.k8s.io/clusterroles`);
    await rowOf(page, "cluster-admin").waitFor();
    await picture(page, "list");
    const dark = await opened({ dark: true, width: 360, height: 740 });
    await dark.page.goto(`${server.url}/console/#/list/-/configmaps?ns=team`);
    await rowOf(dark.page, "kube-root-ca.crt").waitFor();
    await picture(dark.page, "narrow");
  });
});

const boats = {
  metadata: { name: "boats.sea.example.com" },
  spec: {
    group: "sea.example.com",
    scope: "Namespaced",
    names: { plural: "boats", kind: "Boat" },
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        additionalPrinterColumns: [{ name: "Length", type: "integer", jsonPath: ".spec.length" }],
        schema: {
          openAPIV3Schema: {
            type: "object",
            properties: {
              spec: {
                type: "object",
                properties: { length: { type: "integer", description: "Metres from bow to stern." } },
              },
            },
          },
        },
      },
    ],
  },
};

function deploymentOf(name: string) {
  const labels = { app: "web" };
  return {
    metadata: { name },
    spec: {
      replicas: 3,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: "web", image: "nginx" }] } },
    },
  };
}

function ownerOf({
  apiVersion,
  kind,
  metadata,
}: {
  apiVersion: string;
  kind: string;
  metadata: { name: string; uid: string };
}) {
  return { apiVersion, kind, name: metadata.name, uid: metadata.uid, controller: true };
}
