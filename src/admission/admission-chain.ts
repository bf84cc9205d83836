import { currentSpan, traced } from "../telemetry/span.js";
import type { AdmissionAttributes, AdmissionOperation } from "./admission-attributes.js";
import type { AdmissionObserver, AdmissionStep, Timing } from "./admission-observer.js";
import type { AdmissionPlugin, NamedPlugin } from "./admission-plugin.js";

export interface AdmissionChain {
  mutate(attributes: AdmissionAttributes): Promise<void>;
  validate(attributes: AdmissionAttributes): Promise<void>;
}

/** One half of admission for one operation. */
interface Step {
  readonly name: AdmissionStep;
  readonly plugins: readonly TimedPlugin[];
  readonly timing: Timing;
}

interface TimedPlugin {
  readonly name: string;
  readonly run: (attributes: AdmissionAttributes) => Promise<void> | void;
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
    async mutate(attributes) {
      const step = mutating[attributes.operation];
      if (step.plugins.length === 0) return;
      const began = now();
      let isRejected = true;
      try {
        await run(step, attributes, now);
        const { reinvocation } = attributes;
        if (reinvocation.isRequested) {
          reinvocation.begin();
          await run(step, attributes, now);
        }
        isRejected = false;
      } finally {
        step.timing(now() - began, isRejected);
      }
    },
    async validate(attributes) {
      const step = validating[attributes.operation];
      if (step.plugins.length === 0) return;
      const began = now();
      let isRejected = true;
      try {
        await run(step, attributes, now);
        isRejected = false;
      } finally {
        step.timing(now() - began, isRejected);
      }
    },
  };
}

async function run(step: Step, attributes: AdmissionAttributes, now: () => number): Promise<void> {
  const isTraced = currentSpan() !== undefined;
  await (isTraced
    ? traced(`admission: ${step.name}`, () => runPlugins(step, attributes, now, isTraced))
    : runPlugins(step, attributes, now, isTraced));
}

async function runPlugins(
  { plugins }: Step,
  attributes: AdmissionAttributes,
  now: () => number,
  isTraced: boolean,
): Promise<void> {
  let began = now();
  for (const plugin of plugins) {
    let isRejected = true;
    try {
      const pending = isTraced
        ? traced(`plugin ${plugin.name}`, () => plugin.run(attributes))
        : plugin.run(attributes);
      if (pending !== undefined) await pending;
      isRejected = false;
    } finally {
      const ended = now();
      plugin.timing(ended - began, isRejected);
      began = ended;
    }
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
