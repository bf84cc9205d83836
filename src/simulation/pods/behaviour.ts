import type { Pod } from "../../apis/gen/core-v1.js";
import { durationMs, type SimulationSettings } from "../machinery/settings.js";

/** Begins the annotations that say how a pod or a node behaves. The same in both profiles: they are the simulation's own. */
export const annotationPrefix = "simulation.orch.io/";

export type ProbeName = "startup" | "readiness" | "liveness";

/** How one run of a container ends; undefined for one that goes on. */
export interface Ending {
  readonly exitCode: number;
  readonly afterMs: number;
}

/** How a container behaves. */
export interface ContainerBehaviour {
  readonly pullMs: number;
  /** Why its image cannot be pulled. */
  readonly pullError: string | undefined;
  /** The endings of its first, second run and so on; the last one is that of all later runs. */
  ending(run: number): Ending | undefined;
  /** How long after its start a probe begins to fail; undefined for one that succeeds. */
  probeFailsAfterMs(probe: ProbeName): number | undefined;
  /** How long after its start it is ready. */
  readonly readyAfterMs: number;
  /** How long it takes to stop; undefined for one that has to be killed. */
  readonly stopMs: number | undefined;
}

/**
 * Reads the annotations of a pod. `simulation.orch.io/NAME` is for all containers, `simulation.orch.io/CONTAINER.NAME` for one. A value that
 * cannot be read is as good as none.
 */
export function containerBehaviour(
  pod: Pod,
  container: string,
  kind: "init" | "sidecar" | "regular",
  settings: SimulationSettings,
): ContainerBehaviour {
  const annotations = pod.metadata.annotations ?? {};
  const text = (name: string): string | undefined =>
    annotations[`${annotationPrefix}${container}.${name}`] ??
    // What is said of all containers is about those that run: an init container that crashes is named.
    (kind === "init" && name !== "pull" ? undefined : annotations[`${annotationPrefix}${name}`]);
  const time = (name: string, otherwise: number): number => {
    const value = text(name);
    return (value === undefined ? undefined : durationMs(value)) ?? otherwise;
  };
  const defaultEnding = endingByDefault(pod, kind, settings);
  const afterMs = time("exit-after", defaultEnding?.afterMs ?? 0);
  const endings = text("exit-code")
    ?.split(",")
    .map((code) => endingOf(code.trim(), afterMs));
  return {
    pullMs: time("pull", settings.pullMs),
    pullError: text("pull-error"),
    ending: (run) => {
      if (endings === undefined || endings.length === 0) {
        return text("exit-after") === undefined ? defaultEnding : { exitCode: 0, afterMs };
      }
      return endings[Math.min(run, endings.length - 1)];
    },
    probeFailsAfterMs: (probe) => probeFailure(text(probe)),
    readyAfterMs: time("ready-after", 0),
    stopMs: text("stop") === "never" ? undefined : time("stop", settings.stopMs),
  };
}

/** Init containers and jobs are done some time; a server runs on. */
function endingByDefault(
  { spec }: Pod,
  kind: "init" | "sidecar" | "regular",
  { runMs }: SimulationSettings,
): Ending | undefined {
  if (kind === "init") return { exitCode: 0, afterMs: 0 };
  if (kind === "sidecar" || (spec.restartPolicy ?? "Always") === "Always") return undefined;
  return { exitCode: 0, afterMs: runMs };
}

/** `137`, or `run` for one that goes on. */
function endingOf(code: string, afterMs: number): Ending | undefined {
  const exitCode = /^\d{1,3}$/.test(code) ? Number(code) : undefined;
  return exitCode === undefined || exitCode > 255 ? undefined : { exitCode, afterMs };
}

/** `fail`, or `fail after 10s`. */
function probeFailure(text: string | undefined): number | undefined {
  const found = /^fail(?: after (\S+))?$/.exec(text ?? "");
  if (found === null) return undefined;
  return found[1] === undefined ? 0 : (durationMs(found[1]) ?? 0);
}
