import type { EventSubject, EventType, EventWriter, KnownEvent } from "./event-writer.js";
import type { SimulationContext } from "./simulation-context.js";
import { Writer } from "./writer.js";

/** How many events about one object a source may send at once, and how long until it may send another. */
const burst = 25;
const refillMs = 300_000;
/** The most recent ones to remember, of each kind. */
const rememberedMax = 4096;

/**
 * The events of one component. An event that is repeated is counted, not written again, and a component that sends too many about one
 * object is cut off. Source: client-go's event correlator, without its aggregation of similar events.
 */
export class EventRecorder {
  readonly #context: SimulationContext;
  readonly #events: EventWriter;
  readonly #writer: Writer;
  readonly #component: string;
  readonly #known = new Map<string, KnownEvent>();
  readonly #budgets = new Map<string, { left: number; at: number }>();
  #number = 0;

  constructor(context: SimulationContext, events: EventWriter, component: string) {
    this.#context = context;
    this.#events = events;
    this.#component = component;
    this.#writer = new Writer(context, `system:${component}`);
  }

  /** `host`: the node that reports it. */
  record(subject: EventSubject, type: EventType, reason: string, message: string, host?: string): void {
    const at = this.#context.clock.now();
    if (!this.#isInBudget(subject, at)) return;
    // Thousands are remembered, so the text omits what can be derived.
    const text = `${subject.uid} ${subject.name} ${subject.fieldPath ?? ""} ${reason} ${message}`;
    let event = this.#known.get(text);
    if (event === undefined) {
      const details = { subject, type, reason, message, component: this.#component, host };
      event = { ...this.#named(subject, at), lastAt: at, count: 1, details };
      this.#known.set(text, event);
      forgetOldest(this.#known);
    } else {
      event.count++;
      event.lastAt = at;
    }
    this.#events.add(event);
  }

  #named({ namespace, name }: EventSubject, at: number) {
    const number = (this.#number++ % 0x1000).toString(16).padStart(3, "0");
    const random = Math.floor(this.#context.random() * 0x100000).toString(16);
    return {
      writer: this.#writer,
      namespace: namespace === "" ? "default" : namespace,
      name: `${name.slice(0, 220)}.${(at * 1000).toString(16)}${number}${random}`,
      firstAt: at,
    };
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
