import { randomUUID } from "node:crypto";
import type { Auditor } from "../audit/auditor.js";
import type { Controller } from "../controllers/controller.js";
import type { LiveCatalog } from "../endpoints/catalog/live-catalog.js";
import type { Naming } from "../naming/naming.js";
import type { ExchangeHandler } from "../serving/http/exchange.js";
import { inheritedSocket } from "../serving/http/inherited-socket.js";
import { type Listener, type ListenOptions, listen } from "../serving/http/listener.js";
import { toTlsSettings } from "../serving/http/tls-settings.js";
import { Metrics } from "../telemetry/metrics.js";
import { loadAdmissionConfigurations } from "./admission.js";
import { createAggregation } from "./aggregation.js";
import type { ApiServerParts } from "./api-server-parts.js";
import { type Assembly, assemble } from "./assembly.js";
import { createAuditor } from "./audit/create-auditor.js";
import { anonymousAccess } from "./authentication/anonymous-access.js";
import { Authentication } from "./authentication/authentication.js";
import { AuthenticationMetrics } from "./authentication/authentication-metrics.js";
import { loadAuthorizers } from "./authorization/load-authorizers.js";
import { bootstrapNamespaces, bootstrapPriorityClasses } from "./bootstrap.js";
import { bootstrapFlowControl } from "./bootstrap-flow-control.js";
import { bootstrapRbac } from "./bootstrap-rbac/reconcile.js";
import { createControllers } from "./create-controllers.js";
import { loadEgressSelection } from "./egress-selection.js";
import { createFlowControl, usesFlowControl } from "./flow-control.js";
import { type HookStage, type PostStartHook, postStartHooks } from "./health/server-checks.js";
import { openImagePolicyWebhook } from "./image-policy-webhook.js";
import { Lifecycle } from "./lifecycle.js";
import { observeRemoteCalls } from "./metrics/remote-call-metrics.js";
import { StorageMetrics } from "./metrics/storage-metrics.js";
import { loadNodeAgentTls } from "./node-agents.js";
import { Stores } from "./open-store.js";
import { FeatureGates } from "./options/feature-gates.js";
import { forOption, readFileOfOption } from "./options/option-failure.js";
import { prepareServerPki, type ServerPki } from "./pki/server-pki.js";
import { loadProxyClientCertificate } from "./proxy-client-certificate.js";
import { createServerHandler } from "./server-handler.js";
import { logLevelsOf } from "./server-log.js";
import { issueToken, loadServiceAccountTokens } from "./service-account-tokens.js";
import { createStorageVersions, usesStorageVersions } from "./storage-versions.js";
import { createTracing } from "./tracing/create-tracing.js";
import type { ServerTracing } from "./tracing/open-telemetry.js";

/** Requests that are still running after this are cut off. */
const drainMs = 60_000;

/** A running server. `start` resolves when it answers requests. */
export class ApiServer {
  readonly pki: ServerPki;
  readonly #parts: ApiServerParts;
  readonly #lifecycle: Lifecycle;
  readonly #listener: Listener;
  readonly #stores: Stores;
  readonly #assembly: Assembly;
  readonly #controllers: readonly Controller[];
  readonly #auditor: Auditor | undefined;
  readonly #tracing: ServerTracing | undefined;
  readonly #stopObserving: () => void;
  #stopping: Promise<void> | undefined;

  private constructor(
    parts: ApiServerParts,
    running: {
      readonly pki: ServerPki;
      readonly lifecycle: Lifecycle;
      readonly listener: Listener;
      readonly stores: Stores;
      readonly assembly: Assembly;
      readonly controllers: readonly Controller[];
      readonly auditor: Auditor | undefined;
      readonly tracing: ServerTracing | undefined;
      readonly stopObserving: () => void;
    },
  ) {
    this.#parts = parts;
    this.pki = running.pki;
    this.#lifecycle = running.lifecycle;
    this.#listener = running.listener;
    this.#stores = running.stores;
    this.#assembly = running.assembly;
    this.#controllers = running.controllers;
    this.#auditor = running.auditor;
    this.#tracing = running.tracing;
    this.#stopObserving = running.stopObserving;
  }

  /** A source for adding resources to the running server. */
  get catalog(): LiveCatalog {
    return this.#assembly.catalog;
  }

  get port(): number {
    return this.#listener.port;
  }

  /** Rejects with an `Error` whose message says what to do. */
  static async start(parts: ApiServerParts): Promise<ApiServer> {
    const { options, log, naming } = parts;
    const lifecycle = new Lifecycle(Date.now());
    const gates = new FeatureGates(options.featureGates);
    const hooks = postStartHooks(naming, gates);
    for (const { name } of hooks) lifecycle.declareHook(name);
    const metrics = new Metrics({
      disabled: new Set(options.disabledMetrics),
      allowedValues: new Map(
        [...options.allowMetricLabels].map(([of, values]) => [of, new Set(values.split(","))]),
      ),
    });
    const egress = await forOption("egress-selector-config-file", naming, () =>
      loadEgressSelection(options.egressSelectorConfigFile, naming),
    );
    const stopObserving = observeRemoteCalls(metrics, log, logLevelsOf(options));
    const opening = Stores.open(
      options,
      naming,
      {
        metrics: new StorageMetrics(metrics, naming.storeName),
        onFailure: (reason) => log.error("the store failed in the background", reason),
      },
      egress.store,
    );
    // It may fail before anyone waits for it.
    const opened = opening.then(
      (stores) => () => stores.close(),
      () => async () => undefined,
    );
    const undo: (() => Promise<void>)[] = [async () => stopObserving(), async () => (await opened)()];
    try {
      const pki = await prepareServerPki(options, parts.given, naming, Date.now());
      const stores = await opening;
      const serviceAccountTokens = await loadServiceAccountTokens(options, naming, pki);
      const authentication = await Authentication.load({
        options,
        naming,
        log,
        pki,
        serviceAccountTokens,
        dial: egress.controlplane,
        metrics: new AuthenticationMetrics(metrics),
      });
      undo.push(() => authentication.close());
      const authorizers = await loadAuthorizers({ options, naming, log, dial: egress.controlplane });
      undo.push(() => authorizers.close());
      const nodeAgentTls = await loadNodeAgentTls(options, naming);
      await readFileOfOption("cloud-config", options.cloudConfig, naming);
      const proxyClientCertificate = await loadProxyClientCertificate(options, naming);
      const admissionConfigurations = await loadAdmissionConfigurations(options, naming);
      const imagePolicyWebhook = await openImagePolicyWebhook(options, admissionConfigurations, log);
      undo.push(async () => await imagePolicyWebhook?.close());
      const assembly = assemble(parts, {
        stores,
        authentication,
        serviceAccountTokens,
        nodeAgentTls,
        authorizers,
        admissionConfigurations,
        imagePolicyWebhook,
        egress,
        proxyClientCertificate,
        metrics,
      });
      undo.push(() => assembly.services.repair.stop());
      // Services get no addresses before the first repair.
      await assembly.services.repair.start();
      // Authorization and admission read from informers: serve no request before those have their data.
      undo.push(() => assembly.informers.stop());
      await assembly.informers.start();
      const settings = await forOption("tls-cipher-suites", naming, () =>
        toTlsSettings(options.tlsCipherSuites, options.tlsMinVersion),
      );
      let { port } = parts;
      const flowControl = usesFlowControl(options, assembly.gates)
        ? createFlowControl({ ...assembly, options, naming, metrics, context: assembly.controllerContext })
        : undefined;
      const auditor = await createAuditor({ options, naming, log, metrics, dial: egress.controlplane });
      undo.push(async () => auditor?.close());
      const tracing = await createTracing(parts, assembly.gates);
      undo.push(async () => tracing?.close());
      const identity = `${naming.commandName}-${randomUUID()}`;
      const storageVersions = usesStorageVersions(assembly.gates)
        ? createStorageVersions(assembly.controllerContext, naming, identity)
        : undefined;
      const handler = await createServerHandler({
        parts,
        assembly,
        lifecycle,
        metrics,
        auditor,
        flowControl,
        tracer: tracing,
        storageVersionWait: storageVersions?.wait,
        port: () => port,
      });
      const listener = await listenAt(
        {
          host: options.bindAddress,
          port: parts.port,
          files: pki.tls,
          settings,
          ...(options.permitPortSharing && {
            reusePort: true,
            inherited: inheritedSocket(process.env, process.pid),
          }),
          http2MaxStreamsPerConnection: options.http2MaxStreamsPerConnection,
          limits: {
            headerTimeoutMs: options.connectionHeaderTimeoutMs,
            idleTimeoutMs: options.connectionIdleTimeoutMs,
            connectionsMax: options.maxConnections,
          },
          onError: (error) => log.error("connection failed", error),
        },
        handler,
        naming,
      );
      port = listener.port;
      const { warning } = anonymousAccess(options);
      if (warning !== undefined) log.warn(warning);
      const aggregation = createAggregation(parts, assembly, proxyClientCertificate, metrics);
      const controllers = [
        assembly.customResources,
        ...createControllers({
          options,
          naming,
          context: assembly.controllerContext,
          caPem: pki.caPem,
          port: listener.port,
          serviceAccountTokens,
          authentication,
          stores,
          gates: assembly.gates,
          identity,
          storageVersions,
        }),
        ...(flowControl === undefined ? [] : [flowControl.objects]),
        aggregation.registration,
        aggregation.aggregator,
      ];
      undo.push(
        () => listener.close(0),
        async () => void (await Promise.all(controllers.map((controller) => controller.stop()))),
      );
      const server = new ApiServer(parts, {
        pki,
        lifecycle,
        listener,
        stores,
        assembly,
        controllers,
        auditor,
        tracing,
        stopObserving,
      });
      await server.#runPostStartHooks(assembly, hooks);
      return server;
    } catch (error) {
      for (const step of undo.reverse()) await step();
      throw error;
    }
  }

  /** A token for a service account, valid for a day. Rejects with a `StatusError` when the account does not exist. */
  async tokenFor(namespace: string, name: string): Promise<string> {
    const { serviceAccountTokens, controllerContext } = this.#assembly;
    const { issuer, apiAudiences } = serviceAccountTokens;
    if (issuer === undefined) throw new Error("this server has no key that signs tokens");
    const accounts = controllerContext.registry("", "serviceaccounts");
    const { metadata } = (await accounts.get(namespace, name, { kind: "mostRecent" })).decode();
    return await issueToken(issuer)({
      namespace,
      account: { name, uid: metadata.uid ?? "" },
      pod: undefined,
      secret: undefined,
      audiences: apiAudiences,
      issuedAt: controllerContext.now(),
      expirationSeconds: 24 * 3600,
      warnAfterSeconds: undefined,
    });
  }

  /** Waits for `--shutdown-delay-duration`, drains, then closes the store. Repeated calls wait for the same end. */
  stop(): Promise<void> {
    this.#stopping ??= this.#stop();
    return this.#stopping;
  }

  async #runPostStartHooks(
    { controllerContext: context }: Assembly,
    hooks: readonly PostStartHook[],
  ): Promise<void> {
    const { naming } = this.#parts;
    const done = (stage: HookStage): void => {
      for (const { name, after } of hooks) if (after === stage) this.#lifecycle.hookDone(name);
    };
    done("informers");
    await bootstrapNamespaces(context, naming);
    await Promise.all([
      bootstrapPriorityClasses(context, naming).then(() => done("priorityClasses")),
      bootstrapFlowControl(context, naming),
      bootstrapRbac(context, naming).then(() => done("roles")),
    ]);
    await Promise.all(this.#controllers.map((controller) => controller.start()));
    done("controllers");
  }

  async #stop(): Promise<void> {
    const { options } = this.#parts;
    this.#lifecycle.beginShutdown();
    await Promise.all(this.#controllers.map((controller) => controller.withdraw?.()));
    if (options.shutdownDelayDurationMs > 0) {
      await new Promise((resolve) => setTimeout(resolve, options.shutdownDelayDurationMs));
    }
    this.#lifecycle.drain();
    // Requests that arrive now are sent to another server.
    if (options.shutdownSendRetryAfter) await this.#lifecycle.requests.finished(drainMs);
    await this.#listener.close(drainMs);
    await this.#auditor?.close();
    await this.#tracing?.close();
    await Promise.all(this.#controllers.map((controller) => controller.stop()));
    await this.#assembly.authentication.close();
    await this.#assembly.authorizers.close();
    await Promise.all(Object.values(this.#assembly.webhookClients).map((clients) => clients.close()));
    await this.#assembly.imagePolicyWebhook?.close();
    await this.#assembly.informers.stop();
    await this.#assembly.services.repair.stop();
    await this.#stores.close();
    this.#stopObserving();
  }
}

/** The address or the port is not available. */
async function listenAt(options: ListenOptions, handler: ExchangeHandler, naming: Naming): Promise<Listener> {
  try {
    return await listen(options, handler);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException; // undefined for what the system does not report
    if (code === undefined && options.reusePort !== true) throw error;
    const option =
      code === undefined || options.inherited !== undefined
        ? "permit-port-sharing"
        : code === "EADDRNOTAVAIL"
          ? "bind-address"
          : "secure-port";
    return await forOption(option, naming, () => Promise.reject(error));
  }
}
