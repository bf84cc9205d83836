import { readFileSync } from "node:fs";
import { Agent, request } from "node:https";

/**
 * A client of its own process that asks for one small object every 20 ms, as the others would go on doing: `URL PATH` and a file with
 * the credentials as JSON. A message `report` is answered with the longest waits, when each began and how many ms it took, the median and the
 * 99th percentile of all, the number of requests and those that were not answered 200, since the report before.
 */
const [url = "", path = "", credentialsFile = ""] = process.argv.slice(2);
const everyMs = 20;
const givenUpAfterMs = 30_000;
const { ca, cert, key } = JSON.parse(readFileSync(credentialsFile, "utf8"));
const agent = new Agent({ ca, cert, key, keepAlive: true, maxSockets: 4 });
const toldWaits = 5;
const timesMax = 100_000;
let seen = nothingSeen();

function nothingSeen() {
  return { waits: [], times: [], requests: 0, failures: 0, failure: "" };
}

/** The time that `fraction` of the requests did not exceed. */
function quantile(times, fraction) {
  const sorted = times.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(fraction * sorted.length))] ?? 0;
}

function waited(at, ms) {
  const shortest = seen.waits.at(-1)?.ms ?? 0;
  if (seen.waits.length === toldWaits && ms <= shortest) return;
  seen.waits = [...seen.waits, { at, ms }].sort((a, b) => b.ms - a.ms).slice(0, toldWaits);
}

function ask() {
  const start = performance.now();
  const at = Date.now();
  let done = false;
  const end = (failure) => {
    if (done) return;
    done = true;
    seen.requests++;
    const ms = performance.now() - start;
    waited(at, ms);
    if (seen.times.length < timesMax) seen.times.push(ms);
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
  const { times, ...told } = seen;
  process.send?.({ ...told, medianMs: quantile(times, 0.5), p99Ms: quantile(times, 0.99) });
  seen = nothingSeen();
});
process.on("disconnect", () => {
  clearInterval(timer);
  agent.destroy();
  process.exit();
});
