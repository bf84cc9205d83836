import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createNaming } from "../../src/naming/naming.js";
import { loadAdmissionConfigurations } from "../../src/server/admission.js";
import type { ApiServerParts } from "../../src/server/api-server-parts.js";
import { type Assembly, assemble } from "../../src/server/assembly.js";
import { Authentication } from "../../src/server/authentication/authentication.js";
import { AuthenticationMetrics } from "../../src/server/authentication/authentication-metrics.js";
import { loadAuthorizers } from "../../src/server/authorization/load-authorizers.js";
import { bootstrapNamespaces } from "../../src/server/bootstrap.js";
import { loadEgressSelection } from "../../src/server/egress-selection.js";
import { StorageMetrics } from "../../src/server/metrics/storage-metrics.js";
import { loadNodeAgentTls } from "../../src/server/node-agents.js";
import { Stores } from "../../src/server/open-store.js";
import type { Options } from "../../src/server/options/options.js";
import { resolveOptions } from "../../src/server/options/parse-options.js";
import { prepareServerPki } from "../../src/server/pki/server-pki.js";
import { loadProxyClientCertificate } from "../../src/server/proxy-client-certificate.js";
import { createServerLog } from "../../src/server/server-log.js";
import { loadServiceAccountTokens } from "../../src/server/service-account-tokens.js";
import { buildInfo } from "../../src/server/version.js";
import { MemoryStore } from "../../src/storage/testing/memory-store.js";
import { Metrics } from "../../src/telemetry/metrics.js";
import { AdmissionRecorder } from "./admission-recorder.js";
import { ApiCaller } from "./api-caller.js";

/** The resource API of a server on a store in memory: no sockets, no controllers. */
export interface ApiGround {
  readonly assembly: Assembly;
  readonly api: ApiCaller;
  /** Sees all admission of what `api` asks. */
  readonly admission: AdmissionRecorder;
  dispose(): Promise<void>;
}

/** They add to what is written, or ask for what only controllers make. */
const adding = [
  "ServiceAccount",
  "TaintNodesByCondition",
  "Priority",
  "StorageObjectInUseProtection",
] as const;

export async function openApiGround(given: Partial<Options> = {}): Promise<ApiGround> {
  const directory = mkdtempSync(join(tmpdir(), "api-ground-"));
  const profile = "kubernetes";
  const naming = createNaming(profile);
  const resolved = resolveOptions(
    {
      certDir: join(directory, "pki"),
      dataDir: directory,
      bindAddress: "127.0.0.1",
      apiProfile: profile,
      disableAdmissionPlugins: adding,
      ...given,
    },
    { profile },
  );
  if (resolved.kind === "error") throw new Error(resolved.message);
  const { options } = resolved;
  const log = createServerLog(options, () => undefined);
  const parts: ApiServerParts = {
    options,
    given: new Set(["cert-dir"]),
    naming,
    log,
    build: buildInfo,
    port: 0,
  };
  const failures: unknown[] = [];
  const metrics = new Metrics();
  const stores = Stores.on(new MemoryStore(), options, {
    metrics: new StorageMetrics(metrics, naming.storeName),
    onFailure: (reason) => failures.push(reason),
  });
  const pki = await prepareServerPki(options, parts.given, naming, Date.now());
  const serviceAccountTokens = await loadServiceAccountTokens(options, naming, pki);
  const authentication = await Authentication.load({
    options,
    naming,
    log,
    pki,
    serviceAccountTokens,
    dial: undefined,
    metrics: new AuthenticationMetrics(metrics),
  });
  const authorizers = await loadAuthorizers({ options, naming, log, dial: undefined });
  const assembly = assemble(parts, {
    stores,
    authentication,
    serviceAccountTokens,
    nodeAgentTls: await loadNodeAgentTls(options, naming),
    authorizers,
    admissionConfigurations: await loadAdmissionConfigurations(options, naming),
    imagePolicyWebhook: undefined,
    egress: await loadEgressSelection(undefined, naming),
    proxyClientCertificate: await loadProxyClientCertificate(options, naming),
    metrics,
  });
  await assembly.services.repair.start();
  await assembly.informers.start();
  await bootstrapNamespaces(assembly.controllerContext, naming);
  const admission = new AdmissionRecorder();
  return {
    assembly,
    api: new ApiCaller(admission.record(assembly.catalog)),
    admission,
    async dispose() {
      await assembly.customResources.stop();
      await assembly.informers.stop();
      await assembly.services.repair.stop();
      await authentication.close();
      await authorizers.close();
      await stores.close();
      rmSync(directory, { recursive: true, force: true });
      if (failures.length > 0) throw new AggregateError(failures, "the store failed in the background");
    },
  };
}
