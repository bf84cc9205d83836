import { printJsonByEngine } from "../../apimachinery/json/json-print.js";
import type { Container, Pod } from "../../apis/gen/core-v1.js";
import { simulationGroup } from "../../naming/naming.js";
import { durationMs, type SimulationSettings } from "../machinery/settings.js";
import type { BehaviourRules } from "./behaviour-rules.js";
import type { ContainerSettings } from "./behaviour-spec.js";

/**
 * Prefix of the annotations that set how a pod or a node behaves. It is the same in both profiles, because they belong to the simulation.
 */
export const annotationPrefix = `${simulationGroup}/`;

export type ContainerKind = "init" | "sidecar" | "regular" | "ephemeral";

export type ProbeName = "startup" | "readiness" | "liveness";

/** How one run of a container ends; undefined if it does not end. */
export interface Ending {
  readonly exitCode: number;
  readonly afterMs: number;
}

/** How a container behaves. */
export interface ContainerBehaviour {
  readonly pullMs: number;
  /** Why its image cannot be pulled. */
  readonly pullError: string | undefined;
  /** The endings of its first run, its second and so on; the last one applies to all later runs. */
  ending(run: number): Ending | undefined;
  /** How long after its start a probe begins to fail; undefined if it succeeds. */
  probeFailsAfterMs(probe: ProbeName): number | undefined;
  /** How long after its start it becomes ready. */
  readonly readyAfterMs: number;
  /** How long it takes to stop; undefined if it has to be killed. */
  readonly stopMs: number | undefined;
}

/**
 * The setting for a container: from the pod's annotation for it (`simulation.orch.io/CONTAINER.NAME`), from the one for all of its
 * containers (`simulation.orch.io/NAME`), or from a rule.
 */
export function containerSetting(
  { metadata }: Pod,
  container: Pick<Container, "name" | "image">,
  kind: ContainerKind,
  what: keyof ContainerSettings,
  rules: BehaviourRules,
): string | undefined {
  const { annotations = {}, namespace = "", name = "", labels = {} } = metadata;
  const key = what.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  const own = annotations[`${annotationPrefix}${container.name}.${key}`];
  if (own !== undefined) return own;
  // Settings for all containers apply to the main containers only: to make an init container crash, name it.
  const isNamed = (kind === "init" || kind === "ephemeral") && what !== "pull";
  const ofAll = isNamed ? undefined : annotations[`${annotationPrefix}${key}`];
  if (ofAll !== undefined) return ofAll;
  const ruled = rules.ofContainer({ namespace, name, labels }, container, what, isNamed);
  return typeof ruled === "object" ? printJsonByEngine(ruled) : ruled?.toString();
}

/** A value that cannot be read is ignored. */
export function containerBehaviour(
  pod: Pod,
  container: Container,
  kind: ContainerKind,
  settings: SimulationSettings,
  rules: BehaviourRules,
): ContainerBehaviour {
  const text = (what: keyof ContainerSettings): string | undefined =>
    containerSetting(pod, container, kind, what, rules);
  const time = (name: keyof ContainerSettings, otherwise: number): number => {
    const value = text(name);
    return (value === undefined ? undefined : durationMs(value)) ?? otherwise;
  };
  const defaultEnding = endingByDefault(pod, kind, settings);
  const afterMs = time("exitAfter", defaultEnding?.afterMs ?? 0);
  const endings = text("exitCode")
    ?.split(",")
    .map((code) => endingOf(code.trim(), afterMs));
  return {
    pullMs: time("pull", settings.pullMs),
    pullError: text("pullError"),
    ending: (run) => {
      if (endings === undefined || endings.length === 0) {
        return text("exitAfter") === undefined ? defaultEnding : { exitCode: 0, afterMs };
      }
      return endings[Math.min(run, endings.length - 1)];
    },
    probeFailsAfterMs: (probe) => probeFailure(text(probe)),
    readyAfterMs: time("readyAfter", 0),
    stopMs: text("stop") === "never" ? undefined : time("stop", settings.stopMs),
  };
}

/** Init containers and jobs end by themselves; a server runs on. */
function endingByDefault(
  { spec }: Pod,
  kind: ContainerKind,
  { runMs }: SimulationSettings,
): Ending | undefined {
  if (kind === "init") return { exitCode: 0, afterMs: 0 };
  if (kind === "sidecar" || kind === "ephemeral" || (spec.restartPolicy ?? "Always") === "Always")
    return undefined;
  return { exitCode: 0, afterMs: runMs };
}

/** `137`, or `run` for a container that runs on. */
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
