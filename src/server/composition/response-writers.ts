import type { Status } from "../../apimachinery/errors/status.js";
import type { SchemaRegistry } from "../../apimachinery/schema/schema-registry.js";
import type { YamlConverter } from "../../apimachinery/yaml/yaml-converter.js";
import { clientProfile, createNaming, type Naming } from "../../naming/naming.js";
import type { AnswerBudget } from "../../serving/responses/answer-budget.js";
import { GroupBuffers } from "../../serving/responses/group-buffers.js";
import type { LargeForms } from "../../serving/responses/large-forms.js";
import { Negotiator } from "../../serving/responses/negotiator.js";
import { ResultWriter } from "../../serving/responses/result-writer.js";
import { StatusResponder } from "../../serving/responses/status-response.js";
import type { WatchMetrics } from "../../serving/responses/watch-metrics.js";
import type { WatchOutbox } from "../../serving/responses/watch-outbox.js";
import { WatchResponder } from "../../serving/responses/watch-responder.js";
import { WebSocketWatches } from "../../serving/responses/web-socket-watch.js";
import { type Clock, dateOf } from "../../time/clock.js";
import type { FeatureGates } from "../options/feature-gates.js";
import type { Options } from "../options/options.js";

export interface ResponseWriters {
  readonly negotiator: Negotiator;
  readonly status: StatusResponder;
  readonly writer: ResultWriter;
}

/** Writes answers in the representation that the client asked for: an object, a table or metadata only. */
export function createResponseWriters(parts: {
  readonly options: Pick<Options, "apiLevel">;
  readonly naming: Naming;
  readonly gates: FeatureGates;
  readonly schemas: SchemaRegistry;
  readonly yaml: YamlConverter;
  readonly watchMetrics: WatchMetrics;
  readonly outbox: WatchOutbox;
  /** Limits the memory of answers that clients have not read yet. */
  readonly answers: AnswerBudget;
  /** Undefined without lanes. */
  readonly large?: LargeForms | undefined;
  /** Clock for the ages that tables show. */
  readonly clock: Clock;
  /** Ends watches when it aborts. */
  readonly draining: AbortSignal;
  readonly terminationGraceMs: number;
}): ResponseWriters {
  const { options, naming, gates, schemas, yaml, answers, large } = parts;
  const negotiator = new Negotiator(naming, {
    cbor: gates.isEnabled("CBORServingAndStorage"),
    level: options.apiLevel,
  });
  const status = new StatusResponder(negotiator, schemas.codec<Status>("meta/v1.Status"), yaml);
  const partialMetadata = schemas.codec("meta/v1.PartialObjectMetadata");
  const watches = new WatchResponder({
    status,
    partialMetadata,
    outbox: parts.outbox,
    large,
    metrics: parts.watchMetrics,
    webSockets: new WebSocketWatches(),
    initialEventsEnd: initialEventsEnd(naming),
    now: dateOf(parts.clock),
    draining: parts.draining,
    terminationGraceMs: parts.terminationGraceMs,
  });
  const writer = new ResultWriter({
    negotiator,
    status,
    watches,
    partialMetadata,
    yaml,
    answers,
    large,
    groupBuffers: new GroupBuffers(),
    compress: gates.isEnabled("APIResponseCompression"),
    selfLinks: !gates.isEnabled("RemoveSelfLink"),
  });
  return { negotiator, status, writer };
}

/** Also sets Kubernetes' own annotation: without it, kubectl and client-go informers would never see the initial state end. */
function initialEventsEnd(naming: Naming): Readonly<Record<string, string>> {
  const domains = [createNaming(clientProfile).groupDomain, naming.groupDomain];
  return Object.fromEntries(domains.map((domain) => [`${domain}/initial-events-end`, "true"]));
}
