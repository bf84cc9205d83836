import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createNaming } from "../../src/naming/naming.js";
import { bootstrapNamespaces } from "../../src/server/bootstrap/bootstrap.js";
import { type ComposedServer, composeServer } from "../../src/server/composition/compose-server.js";
import { Closing } from "../../src/server/lifecycle/closing.js";
import { createServerLog } from "../../src/server/logging/server-log.js";
import type { Options } from "../../src/server/options/options.js";
import { resolveOptions } from "../../src/server/options/parse-options.js";
import { givePki, keepPki } from "../../src/server/pki/testing/kept-pki.js";
import type { ApiServerParts } from "../../src/server/settings/api-server-parts.js";
import { buildInfo } from "../../src/server/settings/version.js";
import { Stores } from "../../src/server/stores/open-store.js";
import type { KeyValueStore } from "../../src/storage/kv.js";
import { MemoryStore } from "../../src/storage/testing/memory-store.js";
import { systemClock } from "../../src/time/clock.js";
import { AdmissionRecorder } from "./admission-recorder.js";
import { ApiCaller } from "./api-caller.js";

/** The resource API of a server on a store in memory: no sockets, no controllers. */
export interface ApiGround {
  readonly server: ComposedServer;
  readonly api: ApiCaller;
  /** Sees all admission of what `api` asks. */
  readonly admission: AdmissionRecorder;
  dispose(): Promise<void>;
}

/** These plugins add to writes, or require objects that only controllers create. */
const adding = [
  "ServiceAccount",
  "TaintNodesByCondition",
  "Priority",
  "StorageObjectInUseProtection",
] as const;

export async function openApiGround(
  given: Partial<Options> = {},
  store: KeyValueStore = new MemoryStore(),
): Promise<ApiGround> {
  const directory = mkdtempSync(join(tmpdir(), "api-ground-"));
  const certDir = join(directory, "pki");
  const { apiProfile: profile = "kubernetes" } = given;
  givePki(profile, certDir);
  const naming = createNaming(profile);
  const resolved = resolveOptions(
    {
      certDir,
      dataDir: directory,
      bindAddress: "127.0.0.1",
      apiProfile: profile,
      apiLevel: "1.23",
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
    clock: systemClock,
    held: undefined,
    faults: undefined,
    // RSA keys take long to make.
    clientKeys: "ec",
  };
  const failures: unknown[] = [];
  const closing = new Closing();
  const server = await composeServer({
    parts,
    closing,
    openStores: async (_options, _naming, observers) =>
      Stores.on(store, options, { ...observers, onFailure: (reason) => failures.push(reason) }),
  });
  const { services, informers, customResources } = server;
  closing.add(() => services.repair.stop());
  await services.repair.start();
  closing.add(() => informers.stop());
  await informers.start();
  closing.add(() => customResources.stop());
  await bootstrapNamespaces(server.context, naming);
  const admission = new AdmissionRecorder();
  return {
    server,
    api: new ApiCaller(admission.record(server.catalog)),
    admission,
    async dispose() {
      await closing.close();
      keepPki(profile, certDir);
      rmSync(directory, { recursive: true, force: true });
      if (failures.length > 0) throw new AggregateError(failures, "the store failed in the background");
    },
  };
}
