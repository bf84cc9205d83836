import type { AdmissionAttributes, AdmissionOperation } from "./admission-attributes.js";
import type { AdmissionPlugin, NamedPlugin } from "./admission-plugin.js";

export interface AdmissionChain {
  mutate(attributes: AdmissionAttributes): Promise<void>;
  validate(attributes: AdmissionAttributes): Promise<void>;
}

type Phase = "mutate" | "validate";

/** Runs the plugins in the order given: all mutating ones, and once more when one of them asks; later all validating ones. */
export function createAdmissionChain(plugins: readonly NamedPlugin[]): AdmissionChain {
  const mutating = byOperation(plugins, "mutate");
  const validating = byOperation(plugins, "validate");
  return {
    async mutate(attributes) {
      const steps = mutating[attributes.operation];
      if (steps.length === 0) return;
      await run(steps, "mutate", attributes);
      const { reinvocation } = attributes;
      if (!reinvocation.isRequested) return;
      reinvocation.begin();
      await run(steps, "mutate", attributes);
    },
    async validate(attributes) {
      await run(validating[attributes.operation], "validate", attributes);
    },
  };
}

async function run(
  steps: readonly AdmissionPlugin[],
  phase: Phase,
  attributes: AdmissionAttributes,
): Promise<void> {
  for (const plugin of steps) {
    const pending = plugin[phase]?.(attributes);
    if (pending !== undefined) await pending;
  }
}

function byOperation(
  plugins: readonly NamedPlugin[],
  phase: Phase,
): Readonly<Record<AdmissionOperation, readonly AdmissionPlugin[]>> {
  const having = plugins.map(({ plugin }) => plugin).filter((plugin) => plugin[phase] !== undefined);
  const of = (operation: AdmissionOperation) =>
    having.filter((plugin) => plugin.operations.includes(operation));
  return { CREATE: of("CREATE"), UPDATE: of("UPDATE"), DELETE: of("DELETE"), CONNECT: of("CONNECT") };
}
