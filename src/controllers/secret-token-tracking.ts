import type { ConfigMap } from "../apis/gen/core-v1.js";
import { Informer } from "../informers/informer.js";
import { type Controller, type ControllerContext, serverWrite } from "./controller.js";
import { createIfMissing } from "./create-if-missing.js";
import { WorkQueue } from "./work-queue.js";

export const trackedSinceKey = "since";

export interface TrackingMap {
  readonly namespace: string;
  readonly name: string;
}

/** How token secrets are recognized, and where their use is recorded. */
export interface SecretTokenNames {
  readonly secretType: string;
  readonly nameAnnotation: string;
  readonly uidAnnotation: string;
  readonly lastUsedLabel: string;
  readonly invalidSinceLabel: string;
  /** Records since when use is tracked. */
  readonly map: TrackingMap;
}

/** Maintains a config map with the day since which the use of tokens in secrets is tracked. Source: KEP-2799. */
export class SecretTokenTrackingMap implements Controller {
  readonly #context: ControllerContext;
  readonly #map: TrackingMap;
  readonly #maps: Informer<ConfigMap, string | undefined>;
  readonly #queue: WorkQueue<string>;

  constructor(context: ControllerContext, map: TrackingMap) {
    this.#context = context;
    this.#map = map;
    const key = `${map.namespace}/${map.name}`;
    this.#maps = new Informer({
      source: () => context.builtin("configmaps"),
      view: (stored) => (stored.key === key ? (stored.decode().data?.[trackedSinceKey] ?? "") : undefined),
    });
    this.#queue = new WorkQueue({
      observer: context.observeQueue?.("legacy_token_tracking_controller"),
      clock: context.clock,
      work: () => this.#ensure(),
      workers: 1,
      onFailure: (_, error) =>
        context.log.warn("the config map of tracked tokens could not be written", { reason: String(error) }),
    });
  }

  async start(): Promise<void> {
    const key = `${this.#map.namespace}/${this.#map.name}`;
    this.#maps.onChange((change) => {
      if (change.key === key && !isDate(change.value ?? "")) this.#queue.add(key);
    });
    await this.#maps.start();
    this.#queue.add(key);
  }

  async stop(): Promise<void> {
    await this.#maps.stop();
    await this.#queue.close();
  }

  async #ensure(): Promise<void> {
    const { namespace, name } = this.#map;
    const maps = this.#context.builtin("configmaps");
    const today = dateText(this.#context.now());
    const found = await maps.find(namespace, name, { kind: "mostRecent" });
    if (found === undefined) {
      const object = { metadata: { namespace, name }, data: { [trackedSinceKey]: today } };
      await createIfMissing(this.#context, "configmaps", namespace, object);
    } else if (!isDate(found.decode().data?.[trackedSinceKey] ?? "")) {
      await maps.change(serverWrite(this.#context, namespace), name, (map) => {
        map.data = { ...map.data, [trackedSinceKey]: today };
      });
    }
  }
}

/** A day in the form that labels have. */
export function dateText(date: Date): string {
  return date.toISOString().slice(0, 10);
}

export function isDate(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text));
}
