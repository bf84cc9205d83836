import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { connect } from "node:http2";
import { Agent, request } from "node:https";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadProgram } from "../bin/program.mjs";

/**
 * Starts the built server, lets it work a little, and saves the code that V8 compiled: `bin/program.mjs` starts with that.
 */
const requestsMax = 200;
const directory = mkdtempSync(join(tmpdir(), "code-cache-"));
process.once("exit", () => rmSync(directory, { recursive: true, force: true }));

const port = await freePort();
const { run, keep } = loadProgram();
process.argv.splice(
  2,
  process.argv.length,
  "--bind-address=127.0.0.1",
  `--secure-port=${port}`,
  `--data-dir=${directory}`,
  `--cert-dir=${join(directory, "pki")}`,
  // Lets the requests below, which carry no credentials, pass without a warning.
  "--authorization-mode=RBAC",
);
process.stdout.write = () => true;
run().main("kube-apiserver");

const agent = new Agent({ keepAlive: true, rejectUnauthorized: false });
// The server is ready before it has written the administrator's credentials.
const kubeconfig = join(directory, "admin.kubeconfig");
for (let attempt = 0; (await ask("GET", "/readyz")) !== 200 || !existsSync(kubeconfig); attempt++) {
  if (attempt === requestsMax || process.exitCode) throw new Error("the built server does not start");
  await new Promise((resolve) => setTimeout(resolve, 25));
}
await ask("GET", "/api/v1/namespaces?resourceVersion=0");
await ask("GET", "/api/v1/namespaces/default");
agent.destroy();
await define();
await work();

keep();
process.exit(0);

/** Sends the first requests that most servers get: without their compiled code, each takes several times as long. */
async function work() {
  const admin = administrator();
  const send = async (method, path, body, headers) => {
    const options = { agent: admin, headers: { "user-agent": "kubectl/v1.23", ...headers } };
    if (body !== undefined) options.body = JSON.stringify(body);
    const status = await ask(method, path, options);
    if (status === undefined || status >= 400) throw new Error(`${method} ${path} is answered ${status}`);
  };
  const template = {
    metadata: { labels: { app: "one" } },
    spec: { containers: [{ name: "one", image: "one", ports: [{ containerPort: 80 }] }] },
  };
  const selector = { matchLabels: template.metadata.labels };
  const inDefault = "namespaces/default";
  const objects = [
    ["/api/v1", "namespaces", { kind: "Namespace", apiVersion: "v1", metadata: { name: "one" } }],
    ["/api/v1", `${inDefault}/configmaps`, { data: { one: "1" } }],
    ["/api/v1", `${inDefault}/secrets`, { stringData: { one: "1" } }],
    ["/api/v1", `${inDefault}/serviceaccounts`, {}],
    ["/api/v1", `${inDefault}/services`, { spec: { selector: { app: "one" }, ports: [{ port: 80 }] } }],
    ["/api/v1", `${inDefault}/pods`, { spec: { ...template.spec, serviceAccountName: "one" } }],
    ["/apis/apps/v1", `${inDefault}/deployments`, { spec: { selector, template } }],
    ["/apis/coordination.k8s.io/v1", `${inDefault}/leases`, { spec: { holderIdentity: "one" } }],
    ["/apis/rbac.authorization.k8s.io/v1", `${inDefault}/roles`, { rules: [] }],
  ];
  const merge = { "content-type": "application/merge-patch+json" };
  const strategic = { "content-type": "application/strategic-merge-patch+json" };
  const apply = { "content-type": "application/apply-patch+yaml" };
  const table = { accept: "application/json;as=Table;v=v1;g=meta.k8s.io,application/json" };
  const labelled = (value) => ({ metadata: { labels: { one: value } } });
  for (const [group, collection, object] of objects) {
    const path = `${group}/${collection}`;
    const named = { ...object, metadata: { name: "one", labels: { app: "one" } } };
    await send("POST", path, named);
    await send("GET", `${path}/one`);
    await send("GET", `${path}?limit=500`, undefined, table);
    await watched(admin, `${path}?watch=1&resourceVersion=0`);
    await send("PATCH", `${path}/one`, labelled("merge"), merge);
    await send("PATCH", `${path}/one`, labelled("strategic"), strategic);
  }
  // Functions that are called a few times only are compiled when they are called.
  for (let round = 0; round < 3; round++) {
    for (const [group, collection] of objects) {
      const path = `${group}/${collection}`;
      await send("GET", `${path}/one`);
      await send("PATCH", `${path}/one`, labelled(String(round)), merge);
    }
  }
  const named = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "two" }, data: { two: "2" } };
  const two = `/api/v1/${inDefault}/configmaps/two`;
  await send("PATCH", `${two}?fieldManager=one`, named, apply);
  await send("PUT", two, { ...named, data: { two: "3" } });
  for (const [group, collection] of objects.reverse()) await send("DELETE", `${group}/${collection}/one`);
  await send("DELETE", two);
  admin.destroy();
  await overHttp2();
}

/** Resolves with the first event of a watch. */
function watched(admin, path) {
  return new Promise((resolve, reject) => {
    const asked = request({ agent: admin, host: "127.0.0.1", port, path }, (answer) => {
      answer.once("data", () => {
        asked.destroy();
        resolve();
      });
    });
    asked.once("error", reject);
    asked.end();
  });
}

/** Sends requests over HTTP/2, like client-go. */
async function overHttp2() {
  const { cert, key } = credentials();
  const session = connect(`https://127.0.0.1:${port}`, { rejectUnauthorized: false, cert, key });
  const send = (method, path, body) =>
    new Promise((resolve, reject) => {
      const headers = { ":method": method, ":path": path, "content-type": "application/json" };
      const stream = session.request(headers, { endStream: body === undefined });
      stream.once("error", reject);
      stream.once("end", resolve);
      stream.resume();
      if (body !== undefined) stream.end(JSON.stringify(body));
    });
  const path = "/api/v1/namespaces/default/configmaps";
  for (let round = 0; round < 3; round++) {
    await send("POST", path, { metadata: { name: `three${round}` }, data: { three: "3" } });
    await send("GET", `${path}/three${round}`);
    await send("DELETE", `${path}/three${round}`);
  }
  await new Promise((resolve) => {
    const stream = session.request({ ":path": `${path}?watch=1&resourceVersion=0` });
    stream.once("data", () => stream.close());
    stream.once("close", resolve);
  });
  session.close();
}

/** Creates a CRD: without compiled code, a server's first one would block the event loop for tens of milliseconds. */
async function define() {
  const admin = administrator();
  const text = { type: "string", description: "text", pattern: "^v?[0-9]+(\\.[0-9]+){0,2}$", maxLength: 64 };
  const spec = {
    type: "object",
    required: ["text"],
    properties: {
      text,
      count: { type: "integer", format: "int32", minimum: 0, maximum: 10, default: 1 },
      mode: { type: "string", enum: ["one", "other"], default: "one" },
      port: { "x-kubernetes-int-or-string": true, anyOf: [{ type: "integer" }, { type: "string" }] },
      free: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
      labels: { type: "object", additionalProperties: { type: "string" } },
      list: {
        type: "array",
        items: { type: "object", required: ["name"], properties: { name: text } },
        "x-kubernetes-list-type": "map",
        "x-kubernetes-list-map-keys": ["name"],
      },
    },
  };
  const version = {
    name: "v1",
    served: true,
    storage: true,
    subresources: { status: {} },
    additionalPrinterColumns: [{ name: "Text", type: "string", jsonPath: ".spec.text" }],
    schema: { openAPIV3Schema: { type: "object", required: ["spec"], properties: { spec } } },
  };
  const names = { plural: "things", singular: "thing", kind: "Thing", listKind: "ThingList" };
  const definition = {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: "things.example.com", labels: { app: "thing" }, annotations: { version: "1" } },
    spec: { group: "example.com", scope: "Namespaced", names, versions: [version] },
  };
  const path = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
  if ((await ask("POST", path, { agent: admin, body: JSON.stringify(definition) })) !== 201) {
    throw new Error("the built server does not accept a CRD");
  }
  for (
    let attempt = 0;
    (await ask("GET", "/apis/example.com/v1/things", { agent: admin })) !== 200;
    attempt++
  ) {
    if (attempt === requestsMax) throw new Error("the built server does not serve the resource of a CRD");
  }
  const aggregated = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";
  await ask("GET", "/apis", { agent: admin });
  await ask("GET", "/apis", { agent: admin, headers: { accept: aggregated } });
  await ask("GET", "/apis/example.com/v1", { agent: admin });
  await ask("GET", "/openapi/v3/apis/example.com/v1", { agent: admin });
  admin.destroy();
}

/** The administrator's certificate, and its key. */
function credentials() {
  const text = readFileSync(kubeconfig, "utf8");
  const [cert, key] = ["client-certificate-data", "client-key-data"].map((name) => {
    const encoded = new RegExp(`${name}: "?([A-Za-z0-9+/=]+)`).exec(text)?.[1] ?? "";
    return Buffer.from(encoded, "base64");
  });
  return { cert, key };
}

function administrator() {
  return new Agent({ keepAlive: true, rejectUnauthorized: false, ...credentials() });
}

/** The status of the response; undefined when there is none. */
function ask(method, path, options = {}) {
  return new Promise((resolve) => {
    const { body, headers, ...how } = options;
    const all = body === undefined ? headers : { "content-type": "application/json", ...headers };
    const asked = request(
      { agent, host: "127.0.0.1", port, method, path, ...how, headers: all },
      (answer) => {
        answer.resume();
        answer.once("end", () => resolve(answer.statusCode));
      },
    );
    asked.once("error", () => resolve(undefined));
    asked.end(body);
  });
}

function freePort() {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });
}
