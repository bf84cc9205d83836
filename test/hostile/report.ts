import { describeRequest, type HostileRequest, type Outcome } from "./hostile-request.js";
import type { HonestReading, LoopReading } from "./server-probe.js";

interface KindLine {
  readonly kind: string;
  sent: number;
  heldMs: number;
  /** Of `heldMs`: collection of garbage. */
  gcMs: number;
  /** The longest single collection. */
  gcMaxMs: number;
  gapMs: number;
  answerMs: number;
  readonly outcomes: Map<string, number>;
  /** What held the loop longest. */
  worst: string;
}

export interface Problem {
  readonly what: string;
  count: number;
}

const lastShown = 8;
const familiesShown = 8;
const keptShown = 5;
const besideShown = 3;

/** Expected 5xx responses, by the text of the response. */
const explained: readonly RegExp[] = [
  /Component not found/,
  // Nothing answers at the other end of a proxied request.
  /no endpoints available|error trying to reach|dial tcp/,
  // Asked for by `timeout`.
  /Timeout|did not complete|context deadline exceeded/i,
  // As Kubernetes 1.23 answers it.
  /without impersonating a user/,
];

/** What a run found, by kind of request. */
export class Report {
  readonly seed: number;
  memoryBefore: LoopReading | undefined;
  memoryAfter: LoopReading | undefined;
  /** Right after `memoryAfter`, when garbage was collected: what is left is in use. */
  memoryCollected: LoopReading | undefined;
  honest: HonestReading | undefined;
  /** The same client before, and while as many large requests were sent as lanes have places, and as many again waited. */
  beforeFullLanes: HonestReading | undefined;
  besideFullLanes: HonestReading | undefined;
  /** The paths of objects that the run could not delete in the end. */
  kept: readonly string[] = [];
  /** The answer of `/metrics` at the end. */
  metrics = "";
  readonly #lines = new Map<string, KindLine>();
  readonly #violations = new Map<string, Problem>();
  /** Why clients got no whole answer, without those that left. */
  readonly #cuts = new Map<string, Problem>();
  readonly #last: string[] = [];
  /** When the requests of each kind were sent, in order. */
  readonly #sent: { readonly at: number; readonly kind: string }[] = [];
  readonly #start = performance.now();

  constructor(seed: number) {
    this.seed = seed;
  }

  /** Crashes, hung requests, unexplained failures and wrong state; none is what a run is for. */
  get violations(): readonly Problem[] {
    return [...this.#violations.values()];
  }

  get worstHeldMs(): number {
    return Math.max(0, ...[...this.#lines.values()].map((line) => line.heldMs));
  }

  get requests(): number {
    return [...this.#lines.values()].reduce((sum, line) => sum + line.sent, 0);
  }

  /** Notes that requests of the kind are being sent from now on. */
  begins(kind: string): void {
    this.#sent.push({ at: Date.now(), kind });
  }

  add(request: HostileRequest, outcome: Outcome, ms: number, loop: LoopReading | undefined): void {
    const line = this.#line(request.kind);
    line.sent++;
    line.answerMs = Math.max(line.answerMs, ms);
    const name = outcome.kind === "answered" ? String(outcome.status) : outcome.kind;
    line.outcomes.set(name, (line.outcomes.get(name) ?? 0) + 1);
    this.#last.push(`${name} ${describeRequest(request)}`.slice(0, 200));
    if (this.#last.length > lastShown) this.#last.shift();
    if (outcome.kind === "cut") this.#cut(outcome.why, request);
    if (loop !== undefined) this.#held(line, loop, describeRequest(request));
    if (outcome.kind === "hung") this.violation(`hung ${request.kind}`, describeRequest(request));
    if (outcome.kind === "answered" && outcome.status >= 500 && !isExplained(outcome)) {
      const { status, text } = outcome;
      const message = /"message":\s?"([^"]*)/.exec(text)?.[1] ?? text.slice(0, 100);
      this.violation(`${status} ${message}`, `${status} ${message}\n  ${describeRequest(request)}`);
    }
  }

  /** Requests without a whole answer, by what the client's library says. */
  get cuts(): readonly string[] {
    return [...this.#cuts.values()].map(({ what, count }) => `${count} times ${what}`);
  }

  /** The last requests of the run, the newest last. */
  get last(): readonly string[] {
    return this.#last;
  }

  #cut(why: string, request: HostileRequest): void {
    if (request.leaveAfterMs !== undefined) return;
    const known = this.#cuts.get(why);
    if (known === undefined) {
      this.#cuts.set(why, { what: `${why}: ${describeRequest(request).slice(0, 300)}`, count: 1 });
    } else known.count++;
  }

  /** Of several requests at once. */
  addLoop(kind: string, loop: LoopReading, what: string): void {
    this.#held(this.#line(kind), loop, what);
  }

  violation(what: string, example = what): void {
    const known = this.#violations.get(what);
    if (known === undefined) this.#violations.set(what, { what: example, count: 1 });
    else known.count++;
  }

  /** The kinds that held the loop longest, `count` of them. */
  table(count: number): string {
    const lines = [...this.#lines.values()].sort((a, b) => b.heldMs - a.heldMs).slice(0, count);
    const rows = lines.map(({ kind, sent, heldMs, gcMs, gcMaxMs, gapMs, answerMs, outcomes }) => [
      kind,
      String(sent),
      heldMs.toFixed(0),
      gcMs.toFixed(0),
      gcMaxMs.toFixed(0),
      gapMs.toFixed(0),
      answerMs.toFixed(0),
      [...outcomes].map(([name, times]) => `${name}×${times}`).join(" "),
    ]);
    return columns([
      ["kind", "sent", "held ms", "of it gc", "longest gc", "by the clock", "answer ms", "answers"],
      ...rows,
    ]);
  }

  /** The requests that held the loop longer than this. */
  over(ms: number): readonly string[] {
    return [...this.#lines.values()]
      .filter((line) => line.heldMs > ms)
      .sort((a, b) => b.heldMs - a.heldMs)
      .map((line) => `${line.heldMs.toFixed(0)} ms: ${line.worst}`);
  }

  summary(): string {
    const { honest, memoryBefore, memoryAfter, memoryCollected } = this;
    return [
      `${this.requests} requests in ${((performance.now() - this.#start) / 1000).toFixed(0)} s, seed ${this.seed}`,
      `longest hold of the event loop: ${this.worstHeldMs.toFixed(0)} ms`,
      `an ordinary client beside it: ${honest?.requests ?? 0} requests, ${honest?.failures ?? 0} failed ${honest?.failure ?? ""}, longest waits ${this.#waits()}`,
      `before the lanes were full: ${describeTimes(this.beforeFullLanes)}; beside full lanes: ${describeTimes(this.besideFullLanes)}`,
      `memory before: ${describeMemory(memoryBefore)}`,
      `memory after:  ${describeMemory(memoryAfter)}`,
      `garbage collected: ${describeMemory(memoryCollected)}`,
      `objects left: ${this.kept.length} ${this.kept.slice(0, keptShown).join(" ")}`,
      `heap after, by space: ${describeSpaces(memoryAfter)}`,
      `/metrics: ${(this.metrics.length / 1024).toFixed(0)} KiB, ${describeFamilies(this.metrics)}`,
    ].join("\n");
  }

  /** Of the ordinary client, with what was sent when each began and meanwhile. */
  #waits(): string {
    const waits = this.honest?.waits ?? [];
    return waits
      .map(({ at, ms }) => {
        const first = this.#sent.findLastIndex((sent) => sent.at <= at);
        const beside = this.#sent.slice(Math.max(0, first)).filter((sent) => sent.at <= at + ms);
        const kinds = [...new Set(beside.map(({ kind }) => kind))];
        return `${ms.toFixed(0)} ms (${kinds.slice(0, besideShown).join(", ")})`;
      })
      .join(", ");
  }

  #line(kind: string): KindLine {
    let line = this.#lines.get(kind);
    if (line === undefined) {
      line = {
        kind,
        sent: 0,
        heldMs: 0,
        gcMs: 0,
        gcMaxMs: 0,
        gapMs: 0,
        answerMs: 0,
        outcomes: new Map(),
        worst: "",
      };
      this.#lines.set(kind, line);
    }
    return line;
  }

  #held(line: KindLine, reading: LoopReading, what: string): void {
    const { heldMs, gapMs, gcMs, gc, gcMaxMs } = reading;
    line.gapMs = Math.max(line.gapMs, gapMs);
    line.gcMaxMs = Math.max(line.gcMaxMs, gcMaxMs);
    if (heldMs <= line.heldMs) return;
    line.heldMs = heldMs;
    line.gcMs = gcMs;
    line.worst = gc === "" ? what : `(garbage: ${gc} ms) ${what}`;
  }
}

function describeTimes(reading: HonestReading | undefined): string {
  if (reading === undefined) return "not measured";
  const { requests, medianMs, p99Ms, waits } = reading;
  return `${requests} requests, half within ${medianMs.toFixed(1)} ms, 99 % within ${p99Ms.toFixed(1)}, longest ${(waits[0]?.ms ?? 0).toFixed(0)}`;
}

export function describeMemory(reading: LoopReading | undefined): string {
  if (reading === undefined) return "unknown";
  const { rss, privateBytes, heapUsed, heapTotal, external } = reading;
  return `${mb(rss)} MB (${mb(privateBytes)} without mapped files; heap ${mb(heapUsed)} of ${mb(heapTotal)}, buffers ${mb(external)})`;
}

/** Those of more than a megabyte. */
function describeSpaces(reading: LoopReading | undefined): string {
  const large = (reading?.spaces ?? []).filter(({ size }) => size >= 1024 * 1024);
  return large.map(({ name, size, used }) => `${name} ${mb(used)} of ${mb(size)} MB`).join(", ");
}

/** The metrics with most series. */
function describeFamilies(metrics: string): string {
  const series = new Map<string, number>();
  for (const [, name = ""] of metrics.matchAll(/^([a-z][a-z0-9_]*)/gm)) {
    const family = name.replace(/_(?:bucket|sum|count)$/, "");
    series.set(family, (series.get(family) ?? 0) + 1);
  }
  const most = [...series].sort(([, a], [, b]) => b - a).slice(0, familiesShown);
  return `most lines: ${most.map(([name, lines]) => `${name} ${lines}`).join(", ")}`;
}

/** An answer to HEAD says nothing; what is unexpected is in the log too. */
function isExplained({ status, text }: { readonly status: number; readonly text: string }): boolean {
  return status === 501 || text === "" || explained.some((pattern) => pattern.test(text));
}

function mb(bytes: number): string {
  return (bytes / 1024 / 1024).toFixed(0);
}

function columns(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, i) => Math.max(...rows.map((row) => row[i]?.length ?? 0)));
  return rows
    .map((row) =>
      row
        .map((cell, i) => cell.padEnd(widths[i] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}
