import type { Informers } from "../../informers/informers.js";
import type { Naming } from "../../naming/naming.js";
import type { Lifecycle } from "../lifecycle/lifecycle.js";
import { type HealthCheck, HealthChecks, type HealthObserver } from "./health-checks.js";

export interface ServerChecksParts {
  readonly naming: Naming;
  readonly lifecycle: Lifecycle;
  readonly informers: Pick<Informers, "notSynced">;
  /** Rejects when the store does not answer in time. */
  readonly checkStore: (signal: AbortSignal) => Promise<void>;
  /** The same only for `/readyz`; undefined at levels without such a check. */
  readonly checkStoreReadiness?: (() => Promise<void>) | undefined;
  /** Whether there is a check of the certificate of calls to the server itself, which never expires here. */
  readonly checksLoopback?: boolean | undefined;
  /** Checks of external key services that encrypt the store's values. */
  readonly keyServices: readonly HealthCheck[];
  /** Whether `/livez` includes them: a restart of this server would help none of them. */
  readonly keyServicesOfLivez: boolean;
  /** Milliseconds from the start during which `/livez` ignores unfinished hooks. */
  readonly livezGracePeriodMs: number;
  readonly now: () => number;
  /** Undefined when nobody counts how checks end. */
  readonly observe?: HealthObserver | undefined;
}

/** All checks of a server, in the order of kube-apiserver 1.23. */
export function createServerChecks(parts: ServerChecksParts): HealthChecks {
  const { lifecycle, naming } = parts;
  const checks = new HealthChecks(parts.observe);
  const everywhere = ["healthz", "livez", "readyz"] as const;
  const autoregistered: HealthCheck = {
    name: "autoregister-completion",
    check() {
      if (!lifecycle.isHookDone(naming.healthChecks.autoregistration))
        throw new Error("API services of this server are still to be registered");
    },
  };
  checks.add({ name: "ping", check() {} }, ...everywhere);
  checks.add({ name: "log", check() {} }, ...everywhere);
  if (parts.checksLoopback === true) {
    checks.add({ name: "loopback-serving-certificate", check() {} }, "healthz", "livez");
  }
  checks.add({ name: naming.storeName, check: parts.checkStore }, ...everywhere);
  if (parts.checkStoreReadiness !== undefined) {
    checks.add({ name: `${naming.storeName}-readiness`, check: parts.checkStoreReadiness }, "readyz");
  }
  const ofKeyServices = parts.keyServicesOfLivez ? everywhere : (["healthz", "readyz"] as const);
  for (const check of parts.keyServices) checks.add(check, ...ofKeyServices);
  checks.add(
    {
      name: "informer-sync",
      check() {
        const { notSynced } = parts.informers;
        if (notSynced > 0) throw new Error(`${notSynced} informers not started yet`);
      },
    },
    "readyz",
  );
  for (const name of lifecycle.hookNames()) {
    const finished = (): void => {
      if (!lifecycle.isHookDone(name)) throw new Error("not finished");
    };
    checks.add({ name: checkName(name), check: finished }, "healthz", "readyz");
    checks.add(
      {
        name: checkName(name),
        check() {
          const graceLeft = lifecycle.startedAt + parts.livezGracePeriodMs - parts.now();
          if (graceLeft <= 0) finished();
        },
      },
      "livez",
    );
    if (name === naming.healthChecks.autoregistration) checks.add(autoregistered, ...everywhere);
  }
  checks.add(
    {
      name: "shutdown",
      check() {
        if (lifecycle.isShuttingDown) throw new Error("process is shutting down");
      },
    },
    "readyz",
  );
  return checks;
}

function checkName(hook: string): string {
  return hook.startsWith("poststarthook/") ? hook : `poststarthook/${hook}`;
}
