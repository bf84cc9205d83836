import { availableParallelism } from "node:os";
import type { TokenAuthenticator } from "../../access/authentication/token-union.js";
import type { Authorizer } from "../../apimachinery/requests/authorizer.js";
import type { LiveCatalog } from "../../endpoints/catalog/live-catalog.js";
import type { LaneAnswer, LaneQuestion } from "../../serving/lanes/lane-messages.js";
import { Lanes } from "../../serving/lanes/lanes.js";
import type { RequestContext } from "../../serving/request/request-context.js";
import type { AnswerBudget } from "../../serving/responses/answer-budget.js";
import { LargeForms } from "../../serving/responses/large-forms.js";
import type { Metrics } from "../../telemetry/metrics.js";
import { writeLogEntry } from "../logging/thread-log.js";
import { laneMetrics } from "../metrics/lane-metrics.js";
import type { FeatureGates } from "../options/feature-gates.js";
import type { ApiServerParts } from "../settings/api-server-parts.js";
import { builtFile } from "../settings/built-file.js";
import type { Stores } from "../stores/open-store.js";
import type { ServerTracing } from "../tracing/open-telemetry.js";
import { openWorkerLane } from "./worker-lane.js";

export interface CreateLanesParts extends ApiServerParts {
  readonly stores: Stores;
  readonly catalog: LiveCatalog;
  /** Makes decisions for the lanes. */
  readonly access: { readonly authorizer: Authorizer; readonly authenticateToken: TokenAuthenticator };
  readonly answers: AnswerBudget;
  readonly gates: FeatureGates;
  readonly metrics: Metrics;
  readonly tracer: ServerTracing | undefined;
}

/** Starting a lane takes some 150 ms. */
const idleMs = 120_000;

/** The lanes of a server, none of them started; undefined when there are to be none. */
export function createLanes(parts: CreateLanesParts): Lanes | undefined {
  const { options, given, build, log, clock, stores, catalog, access, answers, gates, tracer } = parts;
  const lanesMax = options.maxLanes === -1 ? Math.max(1, availableParallelism() - 1) : options.maxLanes;
  const script = builtFile(process.env.ORCH_LANE_WORKER);
  if (lanesMax === 0 || script === undefined) return undefined;
  return new Lanes({
    open: () =>
      openWorkerLane({
        script,
        settings: { options, given, build, logLevel: log.levels.memory, time: clock.memory },
        stores,
        memoryMb: options.laneMemoryMb,
      }),
    lanesMax,
    timeLimitMs: options.laneTimeLimitMs,
    memoryLimitBytes: options.laneMemoryMb * 1024 * 1024,
    idleMs,
    answers,
    compress: gates.isEnabled("APIResponseCompression"),
    written: (context) => untilDecided(catalog, context),
    answerQuestion: (question) => answerQuestion(access, question),
    traced: (spans) => tracer?.add(spans),
    log: (entry) => writeLogEntry(log, entry),
    observer: laneMetrics(parts.metrics),
  });
}

/** A multiple of the lanes' limit: converting an object costs a fraction of a request about it. */
const bytesOfLargeForms = 4;

/** Lists and watches let the lanes convert large objects. */
export function largeForms(lanes: Lanes, laneRequestBytes: number): LargeForms {
  return new LargeForms({
    make: (form, context) => lanes.make(form, context),
    bytesMin: bytesOfLargeForms * laneRequestBytes,
  });
}

/** A role or token must take effect once its write is answered, so the answer waits for the caches. */
function untilDecided(catalog: LiveCatalog, { info }: RequestContext): Promise<void> | undefined {
  const registry = catalog.find(info.apiGroup, info.apiVersion, info.resource)?.endpoint?.registry;
  if (registry?.definition.storage?.decidesAccess !== true) return undefined;
  const seen = registry.list({ prefix: "", at: { kind: "mostRecent" }, limit: 1 });
  // If it cannot be read because a key is missing, the write has still happened.
  return seen.then(
    () => undefined,
    () => undefined,
  );
}

async function answerQuestion(
  { authorizer, authenticateToken }: CreateLanesParts["access"],
  question: LaneQuestion,
): Promise<LaneAnswer> {
  switch (question.kind) {
    case "authorize": {
      const { user, info } = question;
      return await authorizer.authorize({ user, info, signal: new AbortController().signal });
    }
    case "rules":
      return await authorizer.rulesFor(question.user, question.namespace);
    case "token":
      return await authenticateToken(question.token, question.audiences);
  }
}
