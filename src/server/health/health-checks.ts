import { messageOf } from "../../apimachinery/errors/message-of.js";

/** A health check; rejects or throws with the reason when it fails. */
export interface HealthCheck {
  readonly name: string;
  check(signal: AbortSignal): Promise<void> | void;
}

export type HealthEndpoint = "healthz" | "livez" | "readyz";

/** Observes the results of checks. */
export type HealthObserver = (endpoint: HealthEndpoint, name: string, isHealthy: boolean) => void;

export interface HealthAnswer {
  readonly status: 200 | 500;
  /** text/plain. */
  readonly body: string;
  /** What failed and why, for the log: clients see the reason only when they request that check. */
  readonly failures: readonly { readonly name: string; readonly reason: unknown }[];
}

export interface HealthQuery {
  readonly verbose: boolean;
  readonly exclude: readonly string[];
}

/** The checks behind `/healthz`, `/livez` and `/readyz`. */
export class HealthChecks {
  readonly #checks = new Map<HealthEndpoint, HealthCheck[]>([
    ["healthz", []],
    ["livez", []],
    ["readyz", []],
  ]);

  readonly #observe: HealthObserver | undefined;

  constructor(observe?: HealthObserver) {
    this.#observe = observe;
  }

  add(check: HealthCheck, ...endpoints: readonly HealthEndpoint[]): void {
    for (const endpoint of endpoints) this.#checks.get(endpoint)?.push(check);
  }

  /** The names of an endpoint's checks, each of which has its own path. */
  names(endpoint: HealthEndpoint): readonly string[] {
    return (this.#checks.get(endpoint) ?? []).map((c) => c.name);
  }

  async all(endpoint: HealthEndpoint, query: HealthQuery, signal: AbortSignal): Promise<HealthAnswer> {
    const checks = this.#checks.get(endpoint) ?? [];
    const excluded = new Set(query.exclude);
    const failures: { name: string; reason: unknown }[] = [];
    const lines = await Promise.all(
      checks.map(async (check) => {
        if (excluded.delete(check.name)) return `[+]${check.name} excluded: ok\n`;
        try {
          await this.#run(endpoint, check, signal);
          return `[+]${check.name} ok\n`;
        } catch (reason) {
          failures.push({ name: check.name, reason });
          return `[-]${check.name} failed: reason withheld\n`;
        }
      }),
    );
    const warning =
      excluded.size === 0
        ? ""
        : `warn: some health checks cannot be excluded: no matches for ${[...excluded]
            .sort()
            .map((n) => JSON.stringify(n))
            .join(", ")}\n`;
    if (failures.length > 0) {
      return { status: 500, body: `${lines.join("")}${warning}${endpoint} check failed\n`, failures };
    }
    if (!query.verbose) return { status: 200, body: "ok", failures };
    return { status: 200, body: `${lines.join("")}${warning}${endpoint} check passed\n`, failures };
  }

  /** `name` is one of `names`. */
  async one(endpoint: HealthEndpoint, name: string, signal: AbortSignal): Promise<HealthAnswer> {
    const check = this.#checks.get(endpoint)?.find((c) => c.name === name);
    if (check === undefined) throw new Error(`${endpoint} has no check ${name}`);
    try {
      await this.#run(endpoint, check, signal);
      return { status: 200, body: "ok", failures: [] };
    } catch (reason) {
      const why = messageOf(reason);
      return { status: 500, body: `internal server error: ${why}\n`, failures: [{ name, reason }] };
    }
  }

  async #run(endpoint: HealthEndpoint, check: HealthCheck, signal: AbortSignal): Promise<void> {
    try {
      await check.check(signal);
    } catch (reason) {
      this.#observe?.(endpoint, check.name, false);
      throw reason;
    }
    this.#observe?.(endpoint, check.name, true);
  }
}
