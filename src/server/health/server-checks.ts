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
  /** Whether to report the loopback certificate's check; here that certificate never expires. */
  readonly checksLoopback?: boolean | undefined;
  /** Checks of external key services that encrypt the store's values. */
  readonly keyServices: readonly HealthCheck[];
  /** Whether `/livez` includes them: restarting this server would not repair a key service. */
  readonly keyServicesOfLivez: boolean;
  /** Milliseconds from the start during which `/livez` ignores unfinished hooks. */
  readonly livezGracePeriodMs: number;
  readonly now: () => number;
  /** Undefined when nobody counts how checks end. */
  readonly observe?: HealthObserver | undefined;
}

const everywhere = ["healthz", "livez", "readyz"] as const;

/** All checks of a server, in the order of kube-apiserver 1.23. */
export function createServerChecks(parts: ServerChecksParts): HealthChecks {
  const { lifecycle, naming, checkStoreReadiness } = parts;
  const checks = new HealthChecks(parts.observe);
  checks.add(always("ping"), ...everywhere);
  checks.add(always("log"), ...everywhere);
  if (parts.checksLoopback === true) {
    checks.add(always("loopback-serving-certificate"), "healthz", "livez");
  }
  checks.add({ name: naming.storeName, check: parts.checkStore }, ...everywhere);
  if (checkStoreReadiness !== undefined) {
    checks.add({ name: `${naming.storeName}-readiness`, check: checkStoreReadiness }, "readyz");
  }
  const ofKeyServices = parts.keyServicesOfLivez ? everywhere : (["healthz", "readyz"] as const);
  for (const check of parts.keyServices) checks.add(check, ...ofKeyServices);
  checks.add(informersInSync(parts), "readyz");
  for (const name of lifecycle.hookNames()) addHook(checks, name, parts);
  checks.add(notShuttingDown(lifecycle), "readyz");
  return checks;
}

/** Succeeds whenever the server can answer. */
function always(name: string): HealthCheck {
  return { name, check() {} };
}

function informersInSync({ informers }: ServerChecksParts): HealthCheck {
  return {
    name: "informer-sync",
    check() {
      const { notSynced } = informers;
      if (notSynced > 0) throw new Error(`${notSynced} informers not started yet`);
    },
  };
}

function addHook(
  checks: HealthChecks,
  hook: string,
  { lifecycle, naming, livezGracePeriodMs, now }: ServerChecksParts,
): void {
  const name = hook.startsWith("poststarthook/") ? hook : `poststarthook/${hook}`;
  const finished = (problem: string): void => {
    if (!lifecycle.isHookDone(hook)) throw new Error(problem);
  };
  checks.add({ name, check: () => finished("not finished") }, "healthz", "readyz");
  checks.add(
    {
      name,
      check() {
        if (lifecycle.startedAt + livezGracePeriodMs <= now()) finished("not finished");
      },
    },
    "livez",
  );
  if (hook !== naming.healthChecks.autoregistration) return;
  const problem = "API services of this server are still to be registered";
  checks.add({ name: "autoregister-completion", check: () => finished(problem) }, ...everywhere);
}

function notShuttingDown(lifecycle: Lifecycle): HealthCheck {
  return {
    name: "shutdown",
    check() {
      if (lifecycle.isShuttingDown) throw new Error("process is shutting down");
    },
  };
}
