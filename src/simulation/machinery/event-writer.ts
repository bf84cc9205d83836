import { setTimeout } from "node:timers/promises";
import { isStatus } from "../../apimachinery/errors/status.js";
import type { Event } from "../../apis/gen/core-v1.js";
import { WorkQueue } from "../../controllers/work-queue.js";
import type { Activity } from "./activity.js";
import type { SimulationContext } from "./simulation-context.js";
import { timeText } from "./times.js";
import type { Writer } from "./writer.js";

/** The object that an event is about. */
export interface EventSubject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly fieldPath?: string | undefined;
}

export type EventType = "Normal" | "Warning";

/** The details that are written at the first occurrence of an event. */
export interface EventDetails {
  readonly subject: EventSubject;
  readonly type: EventType;
  readonly reason: string;
  readonly message: string;
  readonly component: string;
  /** The node that reports it. */
  readonly host: string | undefined;
}

/** An event that may happen again. */
export interface KnownEvent {
  readonly writer: Writer;
  readonly namespace: string;
  readonly name: string;
  readonly firstAt: number;
  lastAt: number;
  count: number;
  /** Kept until it is written. */
  details: EventDetails | undefined;
}

/** The most events that may wait to be written: further ones are dropped. */
const waitingMax = 100_000;
const writers = 16;
/** How often to check whether other components have work, and for how long an event waits for them. */
const askMs = 10;
const giveWayMs = 5000;

/**
 * Writes the events of all components, one after another for each object. Events are most of a pod's writes, and nobody waits for them, so
 * they are written when the components have nothing to do.
 */
export class EventWriter {
  readonly #context: SimulationContext;
  readonly #activity: Activity;
  readonly #queue: WorkQueue<KnownEvent>;
  /** Waiting events, each with the time since when it waits, in order. */
  readonly #waiting = new Map<KnownEvent, number>();
  #isClosed = false;

  constructor(context: SimulationContext, activity: Activity) {
    this.#context = context;
    this.#activity = activity;
    this.#queue = new WorkQueue({
      workers: writers,
      clock: context.clock,
      work: (event) => this.#write(event),
      onFailure: (_event, error) =>
        context.log.verbose(
          { level: 2, file: "simulation/machinery/event-writer" },
          "event will be stored later",
          { reason: String(error) },
        ),
    });
  }

  /** Records an occurrence, the first or another one. */
  add(event: KnownEvent): void {
    if (this.#isClosed || this.#waiting.has(event)) return;
    if (this.#waiting.size + this.#queue.depth >= waitingMax) return;
    this.#waiting.set(event, performance.now());
    if (this.#waiting.size === 1) this.#context.clock.track(this.#giveWay());
  }

  close(): Promise<void> {
    this.#isClosed = true;
    this.#waiting.clear();
    return this.#queue.close();
  }

  async #giveWay(): Promise<void> {
    let rest: number | undefined;
    while (this.#waiting.size > 0) {
      await setTimeout(askMs);
      // Work that follows from what has just ended starts in the next turn of the event loop.
      const before = rest;
      rest = this.#activity.rest;
      const isQuiet = rest !== undefined && rest === before;
      const lateSince = performance.now() - giveWayMs;
      for (const [event, since] of this.#waiting) {
        if (!isQuiet && since > lateSince) break;
        this.#waiting.delete(event);
        this.#queue.add(event);
      }
    }
  }

  async #write(event: KnownEvent): Promise<void> {
    const { writer, namespace, name, count, details } = event;
    if (details === undefined) {
      await writer.change("events", event, (stored) => {
        stored.count = Math.max(count, stored.count ?? 0);
        stored.lastTimestamp = timeText(event.lastAt);
      });
      return;
    }
    const { subject, reason, message, component, host, type } = details;
    const object: Event = {
      metadata: { name, namespace },
      involvedObject: { ...subject, namespace: subject.namespace === "" ? undefined : subject.namespace },
      reason,
      message,
      source: { component, ...(host !== undefined && { host }) },
      firstTimestamp: timeText(event.firstAt),
      lastTimestamp: timeText(event.lastAt),
      count,
      type,
      reportingComponent: "",
      reportingInstance: "",
    };
    try {
      await writer.create("events", namespace, object);
    } catch (error) {
      // The namespace is terminating or deleted.
      const isLost = ["Forbidden", "NotFound", "AlreadyExists"] as const;
      if (!isLost.some((reason) => isStatus(error, reason))) throw error;
    }
    event.details = undefined;
  }
}
