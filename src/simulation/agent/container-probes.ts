import type { Container, Probe } from "../../apis/gen/core-v1.js";
import type { ContainerBehaviour } from "../behaviour/container-behaviour.js";

/** Failures before a container is restarted, and the period between probes, where the probe does not set them. */
const failuresByDefault = 3;
const periodByDefaultSeconds = 10;

/** The results of a container's probes, which depend on when it started. Times are milliseconds of the cluster's clock. */
export class ContainerProbes {
  readonly #container: Container;
  readonly #behaviour: ContainerBehaviour;

  constructor(container: Container, behaviour: ContainerBehaviour) {
    this.#container = container;
    this.#behaviour = behaviour;
  }

  isStarted(startedAt: number, now: number): boolean {
    const { startupProbe } = this.#container;
    if (startupProbe === undefined) return true;
    const failsAfter = this.#behaviour.probeFailsAfterMs("startup");
    const passesAt = startedAt + delayOf(startupProbe);
    return passesAt <= now && (failsAfter === undefined || passesAt < startedAt + failsAfter);
  }

  isReady(startedAt: number, now: number): boolean {
    if (!this.isStarted(startedAt, now)) return false;
    const failsAfter = this.#behaviour.probeFailsAfterMs("readiness");
    if (failsAfter !== undefined && now >= startedAt + failsAfter) return false;
    return now >= this.#readyAt(startedAt);
  }

  /** When a result will next change. */
  dueAt(startedAt: number, now: number): number | undefined {
    const failsAfter = this.#behaviour.probeFailsAfterMs("readiness");
    const times = [
      this.#readyAt(startedAt),
      ...(failsAfter === undefined ? [] : [startedAt + failsAfter]),
      startedAt + delayOf(this.#container.startupProbe),
    ].filter((at) => at > now);
    return times.length === 0 ? undefined : Math.min(...times);
  }

  /** When the agent kills the container, and for which probe. */
  kill(startedAt: number): { readonly at: number; readonly probe: "liveness" | "startup" } | undefined {
    const [first] = (["startup", "liveness"] as const)
      .flatMap((name) => {
        const probe = this.#container[`${name}Probe`];
        const failsAfter = this.#behaviour.probeFailsAfterMs(name);
        if (probe === undefined || failsAfter === undefined) return [];
        const { failureThreshold = failuresByDefault, periodSeconds = periodByDefaultSeconds } = probe;
        const begin = startedAt + Math.max(failsAfter, delayOf(probe));
        return [{ at: begin + failureThreshold * periodSeconds * 1000, probe: name }];
      })
      .sort((a, b) => a.at - b.at);
    return first;
  }

  #readyAt(startedAt: number): number {
    const { readinessProbe, startupProbe } = this.#container;
    const probedMs = Math.max(delayOf(readinessProbe), delayOf(startupProbe));
    return startedAt + Math.max(probedMs, this.#behaviour.readyAfterMs);
  }
}

function delayOf(probe: Probe | undefined): number {
  return (probe?.initialDelaySeconds ?? 0) * 1000;
}
