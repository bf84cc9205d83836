import { readFileSync } from "node:fs";
import { Agent, request } from "node:https";

/**
 * A client of its own process that asks for one small object every 20 ms, as the others would go on doing: `URL PATH` and a file with
 * the credentials as JSON. A message `report` is answered with the worst waiting time in ms, the number of requests and those that
 * were not answered 200, since the report before.
 */
const [url = "", path = "", credentialsFile = ""] = process.argv.slice(2);
const everyMs = 20;
const givenUpAfterMs = 30_000;
const { ca, cert, key } = JSON.parse(readFileSync(credentialsFile, "utf8"));
const agent = new Agent({ ca, cert, key, keepAlive: true, maxSockets: 4 });
let seen = { worstMs: 0, requests: 0, failures: 0, failure: "" };

function ask() {
  const start = performance.now();
  let done = false;
  const end = (failure) => {
    if (done) return;
    done = true;
    seen.requests++;
    seen.worstMs = Math.max(seen.worstMs, performance.now() - start);
    if (failure === undefined) return;
    seen.failures++;
    seen.failure ||= failure;
  };
  const sent = request(`${url}${path}`, { agent, timeout: givenUpAfterMs }, (answer) => {
    answer.resume();
    answer.on("error", (error) => end(error.message));
    answer.on("end", () => end(answer.statusCode === 200 ? undefined : `status ${answer.statusCode}`));
  });
  sent.on("timeout", () => sent.destroy(new Error(`no answer in ${givenUpAfterMs} ms`)));
  sent.on("error", (error) => end(error.message));
  sent.end();
}

const timer = setInterval(ask, everyMs);
process.on("message", (message) => {
  if (message !== "report") return;
  process.send?.(seen);
  seen = { worstMs: 0, requests: 0, failures: 0, failure: "" };
});
process.on("disconnect", () => {
  clearInterval(timer);
  agent.destroy();
  process.exit();
});
