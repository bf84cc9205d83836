/**
 * What flow control, tracing and the request log add to a get, as processor time of the server per request. Goals: flow control at most 5 %
 * of a get; tracing configured but nothing sampled nothing, one request in a hundred sampled at most 2 %.
 *
 * What sampling costs is measured within one process, as two of the same program differ by one or two percent: in every other turn, the
 * trace contexts that one request in a hundred has are sampled.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ApiClient } from "../test/support/api-client.js";
import { type ServerProcess, startServer } from "../test/support/server-process.js";
import { startTraceCollector } from "../test/support/trace-collector.js";
import { targetOf } from "./load/target.js";
import { Figures } from "./support/figures.js";
import { getsInTurns, type Measured, type Subject } from "./support/gets-in-turns.js";
import { quantile } from "./support/quantile.js";

const turnMs = Number(process.env.BENCH_SECONDS ?? 3) * 200;
const rounds = 16;
const token = "a-token-of-the-benchmark";

const directory = mkdtempSync(join(tmpdir(), "overhead-"));
const collector = await startTraceCollector();
const tokens = join(directory, "tokens.csv");
// Administrators are exempt from flow control.
writeFileSync(tokens, `${token},reader,1,readers\n`);
const tracingAt = (rate: number): readonly string[] => {
  const file = join(directory, `tracing-${rate}.yaml`);
  const configuration = {
    apiVersion: "apiserver.config.k8s.io/v1alpha1",
    kind: "TracingConfiguration",
    endpoint: collector.endpoint,
    samplingRatePerMillion: rate,
  };
  writeFileSync(file, JSON.stringify(configuration));
  return ["--feature-gates=APIServerTracing=true", `--tracing-config-file=${file}`];
};

/** The mean of a few processes counts. */
const processes = 2;
const variants: readonly { readonly args: readonly string[]; readonly isTraced?: true }[] = [
  { args: ["--enable-priority-and-fairness=false"] },
  { args: [] },
  { args: tracingAt(0), isTraced: true },
];
/** Batches are sent when they are full, so that the turns that make the spans pay for them. */
const env = { OTEL_BSP_SCHEDULE_DELAY: "60000" };
const figures = new Figures();
const servers: ServerProcess[] = [];
try {
  const subjects: Subject[] = [];
  for (let process = 0; process < processes; process++) {
    for (const { args, isTraced } of variants) {
      const server = await startServer({ args: [`--token-auth-file=${tokens}`, ...args], env });
      servers.push(server);
      await prepare(server);
      const target = {
        ...targetOf(server),
        cert: undefined,
        key: undefined,
        tokens: [token],
        tracedOneIn: 100,
      };
      const add = (isSampled: boolean): void => {
        subjects.push({
          pid: server.pid,
          target: { ...target, isSampled },
          path: "/api/v1/namespaces/default/pods/bench",
        });
      };
      add(false);
      if (isTraced) add(true);
    }
  }
  const measured = await getsInTurns(subjects, { rounds, turnMs, connections: 16 });
  const kinds = subjects.length / processes;
  const mean = (values: readonly number[]): number =>
    values.reduce((sum, value) => sum + value, 0) / values.length;
  const meanOf = (kind: number): number =>
    mean(measured.filter((_, index) => index % kinds === kind).map(({ cpuUs }) => cpuUs));
  const [without, plain, untraced, traced] = [0, 1, 2, 3].map(meanOf) as [number, number, number, number];
  figures.record("µs of processor a get, without flow control", without, "get_no_flow_control_us");
  figures.record("µs, as it is", plain, "get_plain_us");
  figures.record("µs, with tracing, nothing sampled", untraced, "get_tracing_0_us");
  figures.record("µs, with tracing, 1 in 100 sampled", traced, "get_tracing_1_us");
  const percent = (what: string, ratio: number, name: string): void =>
    figures.record(`%: ${what}`, (ratio - 1) * 100, name);
  percent("what flow control adds to a get without it", plain / without, "flow_control_percent");
  percent("what tracing adds, nothing sampled", untraced / plain, "tracing_0_percent");
  const ratioOfRounds = (sampled: Measured, unsampled: Measured | undefined): number =>
    quantile(
      sampled.cpuUsOfRounds.map((us, round) => us / (unsampled?.cpuUsOfRounds[round] ?? Number.NaN)),
      0.5,
    );
  const sampling = measured.flatMap((each, index) =>
    index % kinds === 3 ? [ratioOfRounds(each, measured[index - 1])] : [],
  );
  percent("what 1 in 100 sampled adds to that", mean(sampling), "tracing_1_percent");
} finally {
  for (const server of servers) await server.dispose();
  collector.close();
  rmSync(directory, { recursive: true, force: true });
}
figures.end();

async function prepare(server: ServerProcess): Promise<void> {
  const api = new ApiClient(server);
  const spec = { containers: [{ name: "main", image: "busybox" }], automountServiceAccountToken: false };
  const made = await api.post("/api/v1/namespaces/default/pods", { metadata: { name: "bench" }, spec });
  if (made.status !== 201) throw new Error(made.text);
  await api.close();
}
