import type { Event } from "../../apis/gen/core-v1.js";
import { WorkQueue } from "../../controllers/work-queue.js";
import { isStatus } from "../../registry/generic/storage-status.js";
import type { SimulationContext } from "./simulation-context.js";
import { timeText } from "./times.js";
import { Writer } from "./writer.js";

/** What an event is about. */
export interface EventSubject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly fieldPath?: string | undefined;
}

export type EventType = "Normal" | "Warning";

/** An event as it was written first. */
interface Known {
  readonly namespace: string;
  readonly name: string;
  count: number;
}

interface Recorded {
  readonly writer: Writer;
  readonly component: string;
  readonly subject: EventSubject;
  readonly type: EventType;
  readonly reason: string;
  readonly message: string;
  readonly host: string | undefined;
  readonly at: number;
  readonly known: Known;
  readonly isNew: boolean;
}

/** Events about one object that a source may send at once, and how long it takes until it may send one more. */
const burst = 25;
const refillMs = 300_000;
/** Of each, the last so many are remembered. */
const rememberedMax = 4096;
/** More events than this are not waiting to be written: what comes then is dropped. */
const waitingMax = 100_000;
const writers = 16;

/** Writes the events of all components, one after another for each object. */
export class EventWriter {
  readonly #queue: WorkQueue<Recorded>;

  constructor(context: SimulationContext) {
    this.#queue = new WorkQueue({
      workers: writers,
      clock: context.clock,
      work: (recorded) => this.#write(recorded),
      onFailure: (_recorded, error) =>
        context.log.verbose(
          { level: 2, file: "simulation/machinery/event-recorder" },
          "event will be stored later",
          { reason: String(error) },
        ),
    });
  }

  add(recorded: Recorded): void {
    if (this.#queue.depth < waitingMax) this.#queue.add(recorded);
  }

  close(): Promise<void> {
    return this.#queue.close();
  }

  async #write({ writer, known, isNew, ...event }: Recorded): Promise<void> {
    const at = timeText(event.at);
    if (!isNew) {
      await writer.change("events", known, (stored) => {
        stored.count = Math.max(known.count, stored.count ?? 0);
        stored.lastTimestamp = at;
      });
      return;
    }
    const { subject, reason, message, component, host, type } = event;
    const object: Event = {
      metadata: { name: known.name, namespace: known.namespace },
      involvedObject: { ...subject, namespace: subject.namespace === "" ? undefined : subject.namespace },
      reason,
      message,
      source: { component, ...(host !== undefined && { host }) },
      firstTimestamp: at,
      lastTimestamp: at,
      count: 1,
      type,
      reportingComponent: "",
      reportingInstance: "",
    };
    try {
      await writer.create("events", known.namespace, object);
    } catch (error) {
      // The namespace is being deleted, or is gone.
      const isLost = ["Forbidden", "NotFound", "AlreadyExists"] as const;
      if (!isLost.some((reason) => isStatus(error, reason))) throw error;
    }
  }
}

/**
 * The events of one component. An event that happened before is counted, not repeated, and a component that has much to say about one
 * object is cut off. Source: client-go's event correlator, without its aggregation of similar events.
 */
export class EventRecorder {
  readonly #context: SimulationContext;
  readonly #events: EventWriter;
  readonly #writer: Writer;
  readonly #component: string;
  readonly #known = new Map<string, Known>();
  readonly #budgets = new Map<string, { left: number; at: number }>();
  #number = 0;

  constructor(context: SimulationContext, events: EventWriter, component: string) {
    this.#context = context;
    this.#events = events;
    this.#component = component;
    this.#writer = new Writer(context, `system:${component}`);
  }

  /** `host`: the node that tells of it. */
  record(subject: EventSubject, type: EventType, reason: string, message: string, host?: string): void {
    const at = this.#context.clock.now();
    if (!this.#isInBudget(subject, at)) return;
    // Thousands are remembered: what follows from these is left out.
    const text = `${subject.uid} ${subject.name} ${subject.fieldPath ?? ""} ${reason} ${message}`;
    const before = this.#known.get(text);
    if (before !== undefined) before.count++;
    const known = before ?? this.#remember(text, subject, at);
    this.#events.add({
      writer: this.#writer,
      component: this.#component,
      subject,
      type,
      reason,
      message,
      host,
      at,
      known,
      isNew: before === undefined,
    });
  }

  #remember(text: string, subject: EventSubject, at: number): Known {
    const namespace = subject.namespace === "" ? "default" : subject.namespace;
    const number = (this.#number++ % 0x1000).toString(16).padStart(3, "0");
    const random = Math.floor(this.#context.random() * 0x100000).toString(16);
    const known = {
      namespace,
      name: `${subject.name.slice(0, 220)}.${(at * 1000).toString(16)}${number}${random}`,
      count: 1,
    };
    this.#known.set(text, known);
    forgetOldest(this.#known);
    return known;
  }

  #isInBudget({ uid, name }: EventSubject, now: number): boolean {
    const of = `${uid}/${name}`;
    const before = this.#budgets.get(of);
    const left = before === undefined ? burst : Math.min(burst, before.left + (now - before.at) / refillMs);
    this.#budgets.delete(of);
    this.#budgets.set(of, { left: Math.max(0, left - 1), at: now });
    forgetOldest(this.#budgets);
    return left >= 1;
  }
}

function forgetOldest(remembered: Map<string, unknown>): void {
  if (remembered.size <= rememberedMax) return;
  const [oldest] = remembered.keys();
  if (oldest !== undefined) remembered.delete(oldest);
}
