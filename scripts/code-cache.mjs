import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
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
process.env.ORCH_COMMAND_NAME = "kube-apiserver";
process.stdout.write = () => true;
run();

const agent = new Agent({ keepAlive: true, rejectUnauthorized: false });
// The server is ready before it has written the administrator's credentials.
const kubeconfig = join(directory, "admin.kubeconfig");
for (let attempt = 0; (await ask("GET", "/readyz")) !== 200 || !existsSync(kubeconfig); attempt++) {
  if (attempt === requestsMax || process.exitCode)
    throw new Error("the server that was built does not start");
  await new Promise((resolve) => setTimeout(resolve, 25));
}
await ask("GET", "/api/v1/namespaces?resourceVersion=0");
await ask("GET", "/api/v1/namespaces/default");
agent.destroy();
await define();

keep();
process.exit(0);

/** Without compiled code, the first custom resource definition of a server would hold its event loop for tens of milliseconds. */
async function define() {
  const credentials = readFileSync(kubeconfig, "utf8");
  const [cert, key] = ["client-certificate-data", "client-key-data"].map((name) => {
    const encoded = new RegExp(`${name}: "?([A-Za-z0-9+/=]+)`).exec(credentials)?.[1] ?? "";
    return Buffer.from(encoded, "base64");
  });
  const admin = new Agent({ keepAlive: true, rejectUnauthorized: false, cert, key });
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
    throw new Error("the server that was built takes no definition");
  }
  for (
    let attempt = 0;
    (await ask("GET", "/apis/example.com/v1/things", { agent: admin })) !== 200;
    attempt++
  ) {
    if (attempt === requestsMax) throw new Error("the server that was built does not serve a definition");
  }
  const aggregated = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";
  await ask("GET", "/apis", { agent: admin });
  await ask("GET", "/apis", { agent: admin, headers: { accept: aggregated } });
  await ask("GET", "/apis/example.com/v1", { agent: admin });
  await ask("GET", "/openapi/v3/apis/example.com/v1", { agent: admin });
  admin.destroy();
}

/** The status of an answer, undefined when there is none. */
function ask(method, path, options = {}) {
  return new Promise((resolve) => {
    const { body, ...how } = options;
    const headers = body === undefined ? {} : { "content-type": "application/json" };
    const asked = request({ agent, host: "127.0.0.1", port, method, path, headers, ...how }, (answer) => {
      answer.resume();
      answer.once("end", () => resolve(answer.statusCode));
    });
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
