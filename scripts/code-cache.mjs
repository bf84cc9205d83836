import { mkdtempSync, rmSync } from "node:fs";
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
for (let attempt = 0; (await ask("GET", "/readyz")) !== 200; attempt++) {
  if (attempt === requestsMax || process.exitCode)
    throw new Error("the server that was built does not start");
  await new Promise((resolve) => setTimeout(resolve, 25));
}
await ask("GET", "/api/v1/namespaces?resourceVersion=0");
await ask("GET", "/api/v1/namespaces/default");
agent.destroy();

keep();
process.exit(0);

/** The status of an answer, undefined when there is none. */
function ask(method, path) {
  return new Promise((resolve) => {
    const asked = request({ agent, host: "127.0.0.1", port, method, path }, (answer) => {
      answer.resume();
      answer.once("end", () => resolve(answer.statusCode));
    });
    asked.once("error", () => resolve(undefined));
    asked.end();
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
