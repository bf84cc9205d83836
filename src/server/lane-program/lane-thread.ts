import { AsyncLocalStorage } from "node:async_hooks";
import type { MessagePort } from "node:worker_threads";
import { methodNotAllowed } from "../../apimachinery/errors/status.js";
import type { Authorizer } from "../../apimachinery/requests/authorizer.js";
import { createNaming, type Naming } from "../../naming/naming.js";
import { LaneHandler } from "../../serving/lanes/lane-handler.js";
import type {
  FromLane,
  LaneAnswer,
  LaneAnswers,
  LaneQuestion,
  LaneRequest,
  ToLane,
} from "../../serving/lanes/lane-messages.js";
import { AnswerBudget } from "../../serving/responses/answer-budget.js";
import { makeForm } from "../../serving/responses/large-forms.js";
import { WatchOutbox } from "../../serving/responses/watch-outbox.js";
import { createResourceHandler } from "../../serving/routing/resource-handler.js";
import { ThreadStore } from "../../storage/thread-store/thread-store.js";
import { LogLevels } from "../../telemetry/log-levels.js";
import { MetricChanges } from "../../telemetry/metric-changes.js";
import { systemClock } from "../../time/clock.js";
import { followedClock } from "../../time/followed-clock.js";
import { systemThread } from "../../time/processor-time.js";
import { lowerThreadPriority } from "../../time/thread-priority.js";
import { escalationOf } from "../authorization/authorization.js";
import { createResponseWriters } from "../composition/response-writers.js";
import { type AccessInputs, composeEndpoints, type EndpointAccess } from "../endpoints/compose-endpoints.js";
import { createFoundation } from "../foundation/create-foundation.js";
import type { StoreGround } from "../foundation/foundation.js";
import type { LaneSettings } from "../lanes/lane-settings.js";
import { Closing } from "../lifecycle/closing.js";
import { threadLog } from "../logging/thread-log.js";
import { createResourceMetrics } from "../metrics/resource-metrics.js";
import type { Options } from "../options/options.js";
import { Stores } from "../stores/open-store.js";
import { storeObservers } from "../stores/store-observers.js";
import { portOfServers } from "../stores/store-ports.js";

/**
 * Runs a lane: the endpoints of a server over the store of the serving thread, without its filters, controllers and listener. Resolves when
 * it answers requests; those that come earlier wait. Rejects when it cannot be composed.
 */
export async function runLane(settings: LaneSettings): Promise<void> {
  lowerThreadPriority();
  const { requests: port } = settings;
  const post = (message: FromLane, moved: readonly ArrayBuffer[] = []): void =>
    port.postMessage(message, moved);
  const lane = new LaneThread(settings, post);
  port.on("message", (received) => lane.received(received as ToLane)); // only the serving thread writes to the port
  await lane.handler;
  post({ kind: "ready", thread: systemThread() });
}

class LaneThread {
  readonly handler: Promise<LaneHandler>;
  readonly #post: (message: FromLane, moved?: readonly ArrayBuffer[]) => void;
  readonly #questions: Questions;
  readonly #running = new AsyncLocalStorage<number>();
  #changes: MetricChanges | undefined;

  constructor(settings: LaneSettings, post: (message: FromLane, moved?: readonly ArrayBuffer[]) => void) {
    this.#post = post;
    this.#questions = new Questions(post);
    this.handler = this.#compose(settings);
  }

  received(message: ToLane): void {
    switch (message.kind) {
      case "request":
        // If composing fails, `runLane` rejects.
        void this.handler.then(
          (handler) => this.#run(handler, message.request),
          () => undefined,
        );
        break;
      case "abort":
        void this.handler.then((handler) => handler.abort(message.id));
        break;
      case "ping":
        this.#tellMetrics();
        this.#post({ kind: "pong" });
        break;
      case "told":
        this.#questions.told(message.id, message.value);
        break;
      case "refused":
        this.#questions.refused(message.id, message.message);
        break;
    }
  }

  async #run(handler: LaneHandler, request: LaneRequest): Promise<void> {
    const { outcome, notes } = await this.#running.run(request.id, () => handler.run(request));
    this.#tellMetrics();
    const moved = outcome.kind === "answer" ? [outcome.body.buffer] : [];
    this.#post({ kind: "done", id: request.id, outcome, notes }, moved);
  }

  #tellMetrics(): void {
    const changes = this.#changes?.take() ?? [];
    if (changes.length > 0) this.#post({ kind: "counted", changes });
  }

  async #compose(settings: LaneSettings): Promise<LaneHandler> {
    const { options, given, build, time } = settings;
    const naming = createNaming(options.apiProfile);
    const clock = time === undefined ? systemClock : followedClock(time);
    const log = threadLog(new LogLevels(settings.logLevel, options.vmodule), (entry) =>
      this.#post({ kind: "log", entry }),
    );
    const open: ThreadStore[] = [];
    const foundation = await createFoundation(
      { options, given, naming, log, build, clock, held: undefined, faults: undefined, port: 0 },
      new Closing(),
      { openStores: (ground) => this.#openStores(settings, ground, open) },
    );
    const { gates, metrics } = foundation;
    this.#changes = new MetricChanges(metrics);
    const endpoints = await composeEndpoints(foundation, {
      access: async (inputs) => this.#access(options, naming, inputs),
    });
    const { catalog, informers, schemas } = endpoints;
    await informers.start();
    const { writer } = createResponseWriters({
      ...foundation,
      ...endpoints,
      watchMetrics: createResourceMetrics(metrics, catalog, options.apiLevel).watchMetrics,
      outbox: new WatchOutbox(),
      answers: new AnswerBudget(),
      draining: new AbortController().signal,
      terminationGraceMs: 0,
    });
    const partialMetadata = schemas.codec("meta/v1.PartialObjectMetadata");
    const isTraced = (options.tracingConfigFile ?? "") !== "" && gates.isEnabled("APIServerTracing");
    return new LaneHandler({
      tracer: isTraced ? new (await import("../tracing/lane-spans.js")).LaneSpans() : undefined,
      router: createResourceHandler({
        catalog,
        writer,
        connect: () => Promise.reject(methodNotAllowed()),
        large: undefined,
      }),
      makeForm: (form) => makeForm({ catalog, partialMetadata }, form),
      caughtUp: async () => void (await Promise.all(open.map((store) => store.caughtUp()))),
      unexpected: (error, { method, target }) => log.error("request failed", error, { method, path: target }),
    });
  }

  /** Over the engines of the serving thread; `open` receives each. */
  #openStores(
    { encryption, stores: ports }: LaneSettings,
    ground: StoreGround,
    open: ThreadStore[],
  ): Promise<Stores> {
    const { options, naming } = ground;
    const opened = async (port: MessagePort): Promise<ThreadStore> => {
      const store = new ThreadStore(port, { actor: () => this.#running.getStore() });
      open.push(store);
      return store;
    };
    // Every thread would otherwise cache what it reads only once.
    return Stores.openWith({ ...options, watchCache: false }, naming, storeObservers(ground), {
      openMain: () => opened(ports.main),
      openOverride: async (servers) => opened(portOfServers(ports, servers)),
      encryption,
    });
  }

  /** Asks the serving thread, which has the roles, the node graph and the webhooks' cached answers. */
  #access(options: Options, naming: Naming, { builtin, informers }: AccessInputs): EndpointAccess {
    const questions = this.#questions;
    const authorizer: Authorizer = {
      authorize: ({ user, info }) => questions.ask({ kind: "authorize", user, info }),
      rulesFor: (user, namespace) => questions.ask({ kind: "rules", user, namespace }),
    };
    return {
      authenticateToken: (token, audiences) => questions.ask({ kind: "token", token, audiences }),
      authorizer,
      escalation: escalationOf({ modes: options.authorizationMode, naming, informers, builtin }, authorizer),
    };
  }
}

/** The questions of a lane to the serving thread. */
class Questions {
  readonly #post: (message: FromLane) => void;
  readonly #open = new Map<number, { resolve(value: LaneAnswer): void; reject(error: Error): void }>();
  #nextId = 1;

  constructor(post: (message: FromLane) => void) {
    this.#post = post;
  }

  ask<Kind extends LaneQuestion["kind"]>(
    question: Extract<LaneQuestion, { kind: Kind }>,
  ): Promise<LaneAnswers[Kind]> {
    return new Promise((resolve, reject) => {
      const id = this.#nextId++;
      // The answer with this id has the type of the question.
      this.#open.set(id, { resolve: (value) => resolve(value as LaneAnswers[Kind]), reject });
      this.#post({ kind: "ask", id, question });
    });
  }

  told(id: number, value: LaneAnswer): void {
    this.#open.get(id)?.resolve(value);
    this.#open.delete(id);
  }

  refused(id: number, message: string): void {
    this.#open.get(id)?.reject(new Error(message));
    this.#open.delete(id);
  }
}
