import type { MaybePromise } from "../../apimachinery/objects/maybe-promise.js";
import { currentSpan, traced } from "../../telemetry/span.js";
import type { AdmissionAttributes, AdmissionOperation } from "./admission-attributes.js";
import type { AdmissionObserver, AdmissionStep, Timing } from "./admission-observer.js";
import type { AdmissionPlugin, NamedPlugin } from "./admission-plugin.js";

/** Returns a promise only when a plugin waits. */
export interface AdmissionChain {
  mutate(attributes: AdmissionAttributes): MaybePromise<void>;
  validate(attributes: AdmissionAttributes): MaybePromise<void>;
}

/** One half of admission for one operation. */
interface Step {
  readonly name: AdmissionStep;
  readonly plugins: readonly TimedPlugin[];
  readonly timing: Timing;
}

interface TimedPlugin {
  readonly name: string;
  readonly run: (attributes: AdmissionAttributes) => MaybePromise<void>;
  readonly timing: Timing;
}

type Steps = Readonly<Record<AdmissionOperation, Step>>;

/**
 * Runs the plugins in the given order: all mutating ones, and once more when one of them asks for it; later all validating ones.
 */
export function createAdmissionChain(
  plugins: readonly NamedPlugin[],
  observer: AdmissionObserver,
): AdmissionChain {
  const mutating = stepsOf(plugins, "admit", observer);
  const validating = stepsOf(plugins, "validate", observer);
  const now = () => observer.now();
  return {
    mutate(attributes) {
      const step = mutating[attributes.operation];
      if (step.plugins.length === 0) return;
      const { reinvocation } = attributes;
      const again = (): MaybePromise<void> => {
        if (!reinvocation.isRequested) return;
        reinvocation.begin();
        return run(step, attributes, now);
      };
      return timed(step.timing, now, () => {
        const running = run(step, attributes, now);
        return running === undefined ? again() : running.then(again);
      });
    },
    validate(attributes) {
      const step = validating[attributes.operation];
      if (step.plugins.length === 0) return;
      return timed(step.timing, now, () => run(step, attributes, now));
    },
  };
}

/** Reports how long the work took, and whether it failed. */
function timed(timing: Timing, now: () => number, work: () => MaybePromise<void>): MaybePromise<void> {
  const began = now();
  let pending: MaybePromise<void>;
  try {
    pending = work();
  } catch (error) {
    timing(now() - began, true);
    throw error;
  }
  if (pending !== undefined) return settled(pending, timing, began, now);
  timing(now() - began, false);
}

async function settled(
  pending: Promise<void>,
  timing: Timing,
  began: number,
  now: () => number,
): Promise<void> {
  let isRejected = true;
  try {
    await pending;
    isRejected = false;
  } finally {
    timing(now() - began, isRejected);
  }
}

function run(step: Step, attributes: AdmissionAttributes, now: () => number): MaybePromise<void> {
  return currentSpan() === undefined
    ? runPlugins(step.plugins, now, ({ run }) => run(attributes))
    : traced(`admission: ${step.name}`, () =>
        runPlugins(step.plugins, now, ({ name, run }) => traced(`plugin ${name}`, () => run(attributes))),
      );
}

/** One after the other, starting with the one at `first`. */
function runPlugins(
  plugins: readonly TimedPlugin[],
  now: () => number,
  runPlugin: (plugin: TimedPlugin) => MaybePromise<void>,
  first = 0,
): MaybePromise<void> {
  let began = now();
  for (let index = first; index < plugins.length; index++) {
    const plugin = plugins[index];
    if (plugin === undefined) break;
    let pending: MaybePromise<void>;
    try {
      pending = runPlugin(plugin);
    } catch (error) {
      plugin.timing(now() - began, true);
      throw error;
    }
    if (pending !== undefined) {
      const rest = (): MaybePromise<void> => runPlugins(plugins, now, runPlugin, index + 1);
      return settled(pending, plugin.timing, began, now).then(rest);
    }
    const ended = now();
    plugin.timing(ended - began, false);
    began = ended;
  }
}

function stepsOf(plugins: readonly NamedPlugin[], step: AdmissionStep, observer: AdmissionObserver): Steps {
  const of = (operation: AdmissionOperation): Step => ({
    name: step,
    plugins: plugins.flatMap(({ name, plugin }) => {
      const run = runOf(plugin, step);
      if (run === undefined || !plugin.operations.includes(operation)) return [];
      return [{ name, run, timing: observer.plugin(name, step, operation) }];
    }),
    timing: observer.step(step, operation),
  });
  return { CREATE: of("CREATE"), UPDATE: of("UPDATE"), DELETE: of("DELETE"), CONNECT: of("CONNECT") };
}

function runOf(plugin: AdmissionPlugin, step: AdmissionStep): TimedPlugin["run"] | undefined {
  return step === "admit" ? plugin.mutate?.bind(plugin) : plugin.validate?.bind(plugin);
}
