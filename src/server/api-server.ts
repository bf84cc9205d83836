import { X509Certificate } from "node:crypto";
import type { LiveCatalog } from "../endpoints/catalog/live-catalog.js";
import type { Lab } from "../lab/lab.js";
import { consoleLink } from "../serving/console/console.js";
import type { Listener } from "../serving/http/listener.js";
import { HeldRevisions } from "../storage/held-revisions.js";
import type { KeyValueStore } from "../storage/kv.js";
import { timerMs } from "../time/clock.js";
import { reachableHost } from "./admin-kubeconfig.js";
import type { AnonymousAccess } from "./authentication/anonymous-access.js";
import { issueToken } from "./authentication/service-account-tokens.js";
import { preparedObjects, storePrepared } from "./bootstrap/prepared-objects.js";
import { type ComposedServer, composeServer } from "./composition/compose-server.js";
import { systemRandom } from "./endpoints/random.js";
import { Closing } from "./lifecycle/closing.js";
import { drainMs } from "./lifecycle/lifecycle.js";
import { openClock } from "./lifecycle/open-clock.js";
import { openListener } from "./open-listener.js";
import { gateWarnings } from "./options/feature-gates.js";
import type { ServerPki } from "./pki/server-pki.js";
import type { MadeBefore } from "./prepare-fork.js";
import type { Readers } from "./readers/readers.js";
import type { ApiServerParts, ApiServerSettings } from "./settings/api-server-parts.js";
import { givenDeprecated, givenWithoutEffect } from "./settings/without-effect.js";
import { Stores } from "./stores/open-store.js";

/** The part of a server that client configurations are made from. */
export type ListeningServer = Pick<ApiServer, "pki" | "port">;

export interface StartParts {
  readonly made?: MadeBefore | undefined;
  /** Called once requests are answered. The server reports readiness only after it has finished. */
  readonly onListening?: ((server: ListeningServer) => Promise<void>) | undefined;
}

/** A running server. `start` resolves when it answers requests. */
export class ApiServer {
  readonly #parts: ApiServerParts;
  readonly #composed: ComposedServer;
  readonly #closing: Closing;
  /** Undefined when only the main thread serves. */
  readonly #readers: Readers | undefined;
  readonly #forks = new Set<ApiServer>();
  #stopping: Promise<void> | undefined;

  private constructor(
    parts: ApiServerParts,
    composed: ComposedServer,
    closing: Closing,
    readers: Readers | undefined,
  ) {
    this.#parts = parts;
    this.#composed = composed;
    this.#closing = closing;
    this.#readers = readers;
  }

  get pki(): ServerPki {
    return this.#composed.pki;
  }

  /** A source for adding resources to the running server. */
  get catalog(): LiveCatalog {
    return this.#composed.catalog;
  }

  /** Undefined without `--lab`. */
  get lab(): Lab | undefined {
    return this.#composed.lab;
  }

  /** What it was started with. */
  get settings(): ApiServerSettings {
    return this.#parts;
  }

  /** `https://127.0.0.1:PORT` */
  get url(): string {
    return `https://${reachableHost(this.#parts.options.bindAddress)}:${this.port}`;
  }

  get port(): number {
    return this.#composed.lifecycle.port;
  }

  /** Rejects with an `Error` whose message says what to do. */
  static async start(
    settings: ApiServerSettings,
    { made, onListening }: StartParts = {},
  ): Promise<ApiServer> {
    const { options, log } = settings;
    const closing = new Closing();
    if (made !== undefined) closing.add(made.remove);
    try {
      const parts: ApiServerParts = {
        ...settings,
        clock: await openClock(options, closing, made),
        held: options.lab ? new HeldRevisions() : undefined,
        faults: options.lab ? await createFaults() : undefined,
      };
      const composed = await composeServer({
        parts,
        closing,
        openStores: storesOf(made?.store),
        inherited: made?.inherited,
      });
      const { pki, services, informers, controllers, handler, lifecycle, postStartHooks } = composed;
      // Must happen before anything reads the store. A fork's store was bootstrapped, or not, by the first server.
      const isBootstrapped = made !== undefined || (await isStoredAtOnce(parts, composed));
      // Services get no addresses before the first repair.
      closing.add(() => services.repair.stop());
      await services.repair.start();
      // Authorization and admission read from informers, so no request may be served before these are synced.
      closing.add(() => informers.stop());
      await informers.start();
      closing.add(async () => void (await Promise.all(controllers.map((controller) => controller.stop()))));
      const graceMs = (): number =>
        lifecycle.isShuttingDown ? Math.max(drainMs, parts.options.shutdownWatchTerminationGracePeriodMs) : 0;
      let readers: Readers | undefined;
      const listener = await closing.opened(openListener(parts, pki, handler, composed.metrics), (opened) =>
        Promise.all([opened.close(graceMs()), readers?.close(graceMs())]).then(() => undefined),
      );
      lifecycle.listensAt(listener.port);
      if (options.servingThreads > 1) readers = await startReaders(parts, composed, listener);
      tellAboutOptions(parts, composed.anonymous);
      const announced = onListening?.({ pki, port: listener.port });
      // Awaited below; other failures may come first.
      announced?.catch(() => undefined);
      await postStartHooks.run(isBootstrapped, announced);
      const server = new ApiServer(parts, composed, closing, readers);
      composed.lab?.begin((snapshot) => server.fork(snapshot));
      return server;
    } catch (error) {
      await closing
        .close()
        .catch((failure) => log.error("a part of the server could not be closed", failure));
      throw error;
    }
  }

  /** Starts a further server in this process, as `prepareFork` describes. It ends with this one. */
  async fork(snapshot?: string): Promise<ApiServer> {
    const { lab } = this;
    if (lab === undefined) throw new Error("the server has no forks for tests: start it with { lab: true }");
    const { prepareFork } = await import("./prepare-fork.js");
    const { settings, made } = await prepareFork(this.settings, {
      certDir: this.pki.directory,
      inheritance: this.#composed.inheritance,
      lab,
      snapshot,
    });
    const remove = (): ReturnType<MadeBefore["remove"]> => {
      this.#forks.delete(fork);
      return made.remove();
    };
    const fork: ApiServer = await ApiServer.start(settings, { made: { ...made, remove } });
    this.#forks.add(fork);
    return fork;
  }

  /** A URL that signs in to the console once, as the administrator; undefined without a console or an administrator's certificate. */
  async consoleLink(): Promise<string | undefined> {
    const { console: served, pki, lifecycle } = this.#composed;
    const admin = served && (await pki.admin);
    if (served === undefined || admin === undefined) return undefined;
    const leaf = new X509Certificate(admin.certPem);
    const key = served.issueLink({ kind: "certificate", certificates: { leaf, others: [] } });
    return consoleLink(`https://${reachableHost(this.settings.options.bindAddress)}:${lifecycle.port}`, key);
  }

  /** A token for a service account, valid for a day. Rejects with a `StatusError` when the account does not exist. */
  async tokenFor(namespace: string, name: string): Promise<string> {
    const { serviceAccountTokens, context } = this.#composed;
    const { issuer, apiAudiences } = serviceAccountTokens;
    if (issuer === undefined)
      throw new Error("this server has no key to sign tokens: give --service-account-signing-key-file");
    const accounts = context.builtin("serviceaccounts");
    const { metadata } = (await accounts.get(namespace, name, { kind: "mostRecent" })).decode();
    return await issueToken(issuer)({
      namespace,
      account: { name, uid: metadata.uid ?? "" },
      pod: undefined,
      secret: undefined,
      audiences: apiAudiences,
      issuedAt: context.now(),
      expirationSeconds: 24 * 3600,
      warnAfterSeconds: undefined,
    });
  }

  /**
   * Waits for `--shutdown-delay-duration`, drains, then closes everything in the opposite order of its start. Repeated calls wait for the
   * same end.
   */
  stop(): Promise<void> {
    this.#stopping ??= this.#stop();
    return this.#stopping;
  }

  async #stop(): Promise<void> {
    const { lifecycle, controllers } = this.#composed;
    const { shutdownDelayDurationMs, shutdownSendRetryAfter } = this.#parts.options;
    lifecycle.beginShutdown();
    await Promise.all([...this.#forks].map((fork) => fork.stop()));
    await Promise.all(controllers.map((controller) => controller.withdraw?.()));
    if (shutdownDelayDurationMs > 0) {
      await new Promise((resolve) => setTimeout(resolve, timerMs(shutdownDelayDurationMs)));
    }
    lifecycle.drain();
    const drained = this.#readers?.drain();
    // Requests that arrive now are sent to another server.
    if (shutdownSendRetryAfter) await Promise.all([lifecycle.requests.finished(drainMs), drained]);
    await this.#closing.close();
  }
}

/** Whether the bootstrap objects were stored in an empty store. */
async function isStoredAtOnce(
  { options, naming, clock }: ApiServerParts,
  { stores }: ComposedServer,
): Promise<boolean> {
  return await storePrepared(() => preparedObjects(options, naming), {
    kv: stores.kv,
    root: stores.path(""),
    seconds: Math.floor(clock.now() / 1000),
    uid: systemRandom.uid,
  });
}

/** Logs unexpected effects of the options. */
function tellAboutOptions(parts: ApiServerParts, { notice }: AnonymousAccess): void {
  const { options, naming, log } = parts;
  if (notice !== undefined) log[notice.isWarning ? "warn" : "info"](notice.text);
  const unused = givenWithoutEffect(parts);
  if (unused.length > 0) {
    log.info("these options and feature gates have no effect on this server", { names: unused.join(" ") });
  }
  for (const text of givenDeprecated(parts)) log.warn(text);
  for (const text of gateWarnings(options.featureGates, options.apiLevel, naming)) log.warn(text);
}

async function startReaders(
  parts: ApiServerParts,
  { stores, auditor, metrics, handler }: ComposedServer,
  listener: Listener,
): Promise<Readers> {
  const { startReaders: start } = await import("./readers/start-readers.js");
  return await start({ parts, stores, auditor, metrics, handler, listener });
}

async function createFaults() {
  const { FaultEngine } = await import("../lab/faults/fault-engine.js");
  return new FaultEngine();
}

function storesOf(store: KeyValueStore | undefined): typeof Stores.open {
  if (store === undefined) return Stores.open;
  const refuse = () => Promise.reject(new Error("with a given store, there are no others"));
  return (options, naming, observers) =>
    Stores.openWith(options, naming, observers, { openMain: async () => store, openOverride: refuse });
}
