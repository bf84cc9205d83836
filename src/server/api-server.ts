import { readFile } from "node:fs/promises";
import type { Authenticator } from "../access/authentication/authenticator.js";
import { clientCertificateAuthenticator } from "../access/authentication/client-certificate.js";
import { createTokenFileAuthenticator } from "../access/authentication/token-file.js";
import { createAuthenticator } from "../access/authentication/union.js";
import type { Authorizer } from "../access/authorization/authorizer.js";
import { createAuthorizer } from "../access/authorization/modes.js";
import { type AdmissionChain, createAdmissionChain } from "../admission/admission-chain.js";
import { namespaceLifecycle } from "../admission/plugins/namespace-lifecycle.js";
import { printJson } from "../apimachinery/json-print.js";
import type { JsonObject } from "../apimachinery/json-value.js";
import { SchemaRegistry } from "../apimachinery/schema/schema-registry.js";
import type { Status } from "../apimachinery/status.js";
import { builtinResources } from "../apis/builtin-resources.js";
import type { ApiContext } from "../apis/definition/api-context.js";
import type { Scale } from "../apis/gen/autoscaling-v1.js";
import type { Binding, Namespace } from "../apis/gen/core-v1.js";
import type { DeleteOptions } from "../apis/gen/meta-v1.js";
import type { Eviction } from "../apis/gen/policy-v1.js";
import { typePackages } from "../apis/type-packages.js";
import type { Controller, ControllerContext } from "../controllers/controller.js";
import type { ApiCatalog } from "../endpoints/api-catalog.js";
import { ManagedFieldsTracking } from "../endpoints/managed-fields-tracking.js";
import { OpenApiDocuments } from "../endpoints/openapi/openapi-documents.js";
import type { EndpointSettings } from "../endpoints/resource-endpoint.js";
import type { Naming } from "../naming/naming.js";
import { isStatus } from "../registry/generic/storage-status.js";
import { type Listener, listen } from "../serving/http/listener.js";
import { toTlsSettings } from "../serving/http/tls-settings.js";
import type { RequestContext } from "../serving/request/request-context.js";
import { Negotiator, prettyAsked } from "../serving/responses/media-type.js";
import { ResultWriter } from "../serving/responses/result-writer.js";
import { StatusResponder } from "../serving/responses/status-response.js";
import { WatchOutbox } from "../serving/responses/watch-outbox.js";
import { WatchResponder } from "../serving/responses/watch-responder.js";
import { WebSocketWatches } from "../serving/responses/web-socket-watch.js";
import { createRouter, type Route } from "../serving/routing/router.js";
import type { Logger } from "../telemetry/logger.js";
import { bootstrapNamespaces, bootstrapPriorityClasses } from "./bootstrap.js";
import { buildCatalog } from "./catalog.js";
import { advertisedAddress } from "./cluster-addresses.js";
import { createControllers } from "./create-controllers.js";
import { createServerChecks, postStartHookNames } from "./health/server-checks.js";
import { Lifecycle } from "./lifecycle.js";
import { Stores } from "./open-store.js";
import { operationsOf } from "./operations.js";
import { FeatureGates, isFeatureGateName } from "./options/feature-gates.js";
import type { OptionName, Options } from "./options/options.js";
import { createRuntimeConfig, type RuntimeConfig } from "./options/runtime-config.js";
import { prepareServerPki, type ServerPki } from "./pki/server-pki.js";
import { systemRandom } from "./random.js";
import { createRequestHandler } from "./request-pipeline.js";
import { ResourceSet } from "./resource-set.js";
import { discoveryRoutes } from "./routes/discovery-routes.js";
import { healthRoutes } from "./routes/health-routes.js";
import { openApiRoutes } from "./routes/openapi-routes.js";
import { rootRoutes } from "./routes/root-routes.js";
import { apiVersionName, type BuildInfo } from "./version.js";

export interface ApiServerParts {
  readonly options: Options;
  /** The options that were named; defaults may give way where a wish may not. */
  readonly given: ReadonlySet<OptionName>;
  readonly naming: Naming;
  readonly log: Logger;
  readonly build: BuildInfo;
  /** 0 listens on any free port. */
  readonly port: number;
}

/** Whoever is cut off after this had long enough. */
const drainMs = 60_000;

/** A running server. `start` resolves when it answers requests. */
export class ApiServer {
  readonly pki: ServerPki;
  readonly #parts: ApiServerParts;
  readonly #lifecycle: Lifecycle;
  readonly #listener: Listener;
  readonly #stores: Stores;
  readonly #controllers: readonly Controller[];
  #stopping: Promise<void> | undefined;

  private constructor(
    parts: ApiServerParts,
    running: {
      readonly pki: ServerPki;
      readonly lifecycle: Lifecycle;
      readonly listener: Listener;
      readonly stores: Stores;
      readonly controllers: readonly Controller[];
    },
  ) {
    this.#parts = parts;
    this.pki = running.pki;
    this.#lifecycle = running.lifecycle;
    this.#listener = running.listener;
    this.#stores = running.stores;
    this.#controllers = running.controllers;
  }

  get port(): number {
    return this.#listener.port;
  }

  /** Rejects with an `Error` whose message says what to do. */
  static async start(parts: ApiServerParts): Promise<ApiServer> {
    const { options, log, naming } = parts;
    const lifecycle = new Lifecycle(Date.now());
    for (const name of postStartHookNames(naming)) lifecycle.declareHook(name);
    const opening = Stores.open(options, (reason) => log.error("the store failed in the background", reason));
    const pki = prepareServerPki(options, parts.given, naming, Date.now());
    const stores = await opening;
    try {
      const mechanisms = await authenticators(options);
      const assembly = assemble(parts, stores, mechanisms);
      const listener = await listen(
        {
          host: options.bindAddress,
          port: parts.port,
          files: pki.tls,
          settings: toTlsSettings(options.tlsCipherSuites, options.tlsMinVersion),
          http2MaxStreamsPerConnection: options.http2MaxStreamsPerConnection,
          onError: (error) => log.error("connection failed", error),
        },
        await requestHandler(parts, assembly, lifecycle),
      );
      const controllers = createControllers({
        options,
        naming,
        context: assembly.controllerContext,
        caPem: pki.caPem,
        port: listener.port,
      });
      const server = new ApiServer(parts, { pki, lifecycle, listener, stores, controllers });
      try {
        await server.#runPostStartHooks(assembly.controllerContext);
      } catch (error) {
        await server.#listener.close(0);
        await Promise.all(controllers.map((controller) => controller.stop()));
        throw error;
      }
      return server;
    } catch (error) {
      await stores.close();
      throw error;
    }
  }

  /** Drains as contract 2, §4, rule 6 says, then closes the store. Repeated calls wait for the same end. */
  stop(): Promise<void> {
    this.#stopping ??= this.#stop();
    return this.#stopping;
  }

  async #runPostStartHooks(context: ControllerContext): Promise<void> {
    const { naming } = this.#parts;
    await bootstrapNamespaces(context, naming);
    await bootstrapPriorityClasses(context, naming);
    await Promise.all(this.#controllers.map((controller) => controller.start()));
    for (const name of this.#lifecycle.hookNames()) this.#lifecycle.hookDone(name);
  }

  async #stop(): Promise<void> {
    const { options } = this.#parts;
    this.#lifecycle.beginShutdown();
    if (options.shutdownDelayDurationMs > 0) {
      await new Promise((resolve) => setTimeout(resolve, options.shutdownDelayDurationMs));
    }
    this.#lifecycle.drain();
    await this.#listener.close(drainMs);
    await Promise.all(this.#controllers.map((controller) => controller.stop()));
    await this.#stores.close();
  }
}

interface Assembly {
  readonly schemas: SchemaRegistry;
  readonly catalog: ApiCatalog;
  readonly controllerContext: ControllerContext;
  readonly gates: FeatureGates;
  readonly stores: Stores;
  readonly mechanisms: readonly Authenticator[];
  readonly authorizer: Authorizer;
}

/** The resource API over a store. */
function assemble(parts: ApiServerParts, stores: Stores, mechanisms: readonly Authenticator[]): Assembly {
  const { options, naming, log } = parts;
  const gates = new FeatureGates(options.featureGates);
  const schemas = new SchemaRegistry(typePackages, { fieldName: (neutral) => naming.field(neutral) });
  const context: ApiContext = {
    naming,
    schemas,
    // Gates that are named after vendors are not in the table; those that kinds ask for are on in this version.
    isEnabled: (gate) => !isFeatureGateName(gate) || gates.enabled(gate),
    options: { allowPrivileged: options.allowPrivileged, eventTtlSeconds: options.eventTtlMs / 1000 },
  };
  const definitions = builtinResources(context);
  const resources = new ResourceSet({
    definitions,
    storageMediaType: options.storageMediaType,
    openStore: (definition, codec) => stores.openObjects(definition, codec),
    random: systemRandom,
    hooksOf: () => undefined,
  });
  const controllerContext: ControllerContext = {
    registry: (group, resource) => resources.registry(group, resource),
    registries: () => resources.registries(),
    log,
    now: () => new Date(),
  };
  const settings = endpointSettings(options, naming, gates, schemas);
  const authorizer = createAuthorizer(options.authorizationMode);
  const authenticate = createAuthenticator(mechanisms, false);
  const catalog = buildCatalog({
    naming,
    definitions,
    resources,
    runtimeConfig: runtimeConfigOf(options, definitions),
    admission: createAdmission(controllerContext, naming),
    settings,
    operationsOf: (definition, version) =>
      operationsOf({
        definition,
        version,
        settings,
        authorizer,
        authenticate,
        pods: () => resources.registry("", "pods"),
        budgets: () => resources.registry("policy", "poddisruptionbudgets"),
        bindingCodec: () => schemas.codec<Binding>("core/v1.Binding"),
        evictionCodec: () => schemas.codec<Eviction>("policy/v1.Eviction"),
      }),
  });
  return { schemas, catalog, controllerContext, gates, stores, mechanisms, authorizer };
}

function runtimeConfigOf(options: Options, definitions: ReturnType<typeof builtinResources>): RuntimeConfig {
  const known = new Map<string, { group: string; version: string; resources: string[] }>();
  for (const { group, resource, versions } of definitions) {
    for (const { version } of versions) {
      const key = `${group}/${version}`;
      const entry = known.get(key) ?? { group, version, resources: [] };
      entry.resources.push(resource);
      known.set(key, entry);
    }
  }
  const result = createRuntimeConfig(options.runtimeConfig, [...known.values()]);
  if (result.kind === "error") throw new Error(`--runtime-config: ${result.message}`);
  return result.config;
}

function createAdmission(context: ControllerContext, naming: Naming): AdmissionChain {
  const namespaces = {
    async find(name: string) {
      try {
        const stored = await context.registry("", "namespaces").get("", name, { kind: "any" });
        const { metadata, status } = stored.decode() as Namespace; // the registry of namespaces holds nothing else
        return {
          terminating: status?.phase === "Terminating",
          deletionTimestamp: metadata.deletionTimestamp,
        };
      } catch (error) {
        if (isStatus(error, "NotFound")) return undefined;
        throw error;
      }
    },
  };
  return createAdmissionChain([
    namespaceLifecycle({
      namespaces,
      immortal: ["default", naming.systemNamespace, naming.publicNamespace],
      exempt: [`${naming.group("authorization")}/localsubjectaccessreviews`],
    }),
  ]);
}

function endpointSettings(
  options: Options,
  naming: Naming,
  gates: FeatureGates,
  schemas: SchemaRegistry,
): EndpointSettings {
  return {
    metaGroup: naming.group("meta"),
    minRequestTimeoutSeconds: options.minRequestTimeout,
    random: Math.random,
    allowBookmarks: true,
    deleteCollectionWorkers: options.deleteCollectionWorkers,
    listChunking: gates.enabled("APIListChunking"),
    remainingItemCount: gates.enabled("RemainingItemCount"),
    serverSideFieldValidation: gates.enabled("ServerSideFieldValidation"),
    watchList: gates.enabled("WatchList"),
    fieldTracking: new ManagedFieldsTracking(`kubectl.${naming.domain}/last-applied-configuration`),
    scaleCodec: schemas.codec<Scale>("autoscaling/v1.Scale"),
    deleteOptionsCodec: schemas.codec<DeleteOptions>("meta/v1.DeleteOptions"),
  };
}

async function requestHandler(parts: ApiServerParts, assembly: Assembly, lifecycle: Lifecycle) {
  const { options, naming, log, build } = parts;
  const { schemas, catalog, gates, stores, mechanisms, authorizer } = assembly;
  const negotiator = new Negotiator(naming);
  const status = new StatusResponder(negotiator, schemas.codec<Status>("meta/v1.Status"));
  const watches = new WatchResponder({
    negotiator,
    status,
    outbox: new WatchOutbox(),
    webSockets: new WebSocketWatches(),
    initialEventsEndAnnotation: `${naming.groupDomain}/initial-events-end`,
    now: () => new Date(),
    draining: lifecycle.draining,
  });
  const writer = new ResultWriter({
    negotiator,
    status,
    watches,
    compress: gates.enabled("APIResponseCompression"),
  });
  const checks = createServerChecks({
    naming,
    lifecycle,
    checkStore: () => stores.checkHealth(),
    livezGracePeriodMs: options.livezGracePeriodMs,
    now: () => Date.now(),
  });
  const writeDocument = async (context: RequestContext, document: JsonObject): Promise<void> => {
    const { exchange } = context;
    const pretty = prettyAsked(exchange.query, exchange.headers["user-agent"]);
    const text = printJson(document, pretty ? { indent: "  " } : undefined);
    exchange.respond(200, { "Content-Type": "application/json" }, `${text}\n`);
  };
  const serverAddress = `${advertisedAddress(options.advertiseAddress, options.bindAddress) ?? "127.0.0.1"}:${parts.port}`;
  const routes: Route[] = [
    ...healthRoutes(checks, log),
    ...discoveryRoutes({
      catalog,
      serverAddress,
      storageVersionHashes: gates.enabled("StorageVersionHash"),
      writeDocument,
    }),
    ...openApiRoutes({
      documents: new OpenApiDocuments({
        catalog,
        naming,
        types: schemas,
        enums: gates.enabled("OpenAPIEnums"),
        version: apiVersionName,
      }),
      v3: !gates.switchedOff("OpenAPIV3"),
      compress: gates.enabled("APIResponseCompression"),
      now: () => new Date(),
    }),
  ];
  routes.push(
    ...rootRoutes({
      catalog,
      build,
      otherPaths: () => routes.filter((r) => r.listed).map((r) => r.path),
      writeDocument,
    }),
  );
  const router = createRouter({
    catalog,
    naming,
    routes,
    write: (context, result) => writer.write(context, result),
  });
  return createRequestHandler(
    {
      options,
      naming,
      lifecycle,
      log,
      status,
      authenticator: createAuthenticator(mechanisms, options.anonymousAuth),
      authorizer: (user, info) => authorizer.authorize(user, info),
      isOriginAllowed: await originMatcher(options.corsAllowedOrigins),
      router,
    },
    () => new Date(),
  );
}

async function authenticators(options: Options): Promise<readonly Authenticator[]> {
  const { tokenAuthFile } = options;
  return [
    clientCertificateAuthenticator,
    ...(tokenAuthFile === undefined
      ? []
      : [createTokenFileAuthenticator(await readFile(tokenAuthFile, "utf8"))]),
  ];
}

/** Expressions come from the operator, origins from anyone: matched without backtracking. */
async function originMatcher(patterns: readonly string[]): Promise<(origin: string) => boolean> {
  if (patterns.length === 0) return () => false;
  const { RE2JS } = await import("re2js");
  const compiled = patterns.map((pattern) => {
    try {
      return RE2JS.compile(pattern);
    } catch (error) {
      throw new Error(`--cors-allowed-origins: ${JSON.stringify(pattern)} is no regular expression`, {
        cause: error,
      });
    }
  });
  return (origin) => compiled.some((pattern) => pattern.matcher(origin).find());
}
