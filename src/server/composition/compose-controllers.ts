import type { Controller } from "../../controllers/controller.js";
import type { Lab } from "../../lab/lab.js";
import type { Simulation } from "../../simulation/simulation.js";
import { createAggregation } from "./aggregation.js";
import { createControllers } from "./create-controllers.js";
import { createFlowControl, type FlowControlSetup } from "./flow-control.js";
import { createLab } from "./lab.js";
import type { ServerCore } from "./server-core.js";
import { createSimulation } from "./simulation.js";
import { createStorageVersions, type StorageVersions } from "./storage-versions.js";

export interface ComposedControllers {
  /** Started by the post-start hooks. */
  readonly controllers: readonly Controller[];
  /** Undefined when fixed limits apply. */
  readonly flowControl: FlowControlSetup | undefined;
  /** Undefined when storage versions are not registered. */
  readonly storageVersions: StorageVersions | undefined;
  readonly simulation: Simulation | undefined;
  readonly lab: Lab | undefined;
}

/** What runs beside requests, and those parts of it that requests use. */
export async function composeControllers(core: ServerCore): Promise<ComposedControllers> {
  const aggregation = createAggregation(core);
  const flowControl = createFlowControl(core);
  const storageVersions = createStorageVersions(core);
  const simulation = await createSimulation(core);
  const lab = await createLab(core);
  const controllers = [
    core.customResources,
    ...createControllers({ ...core, storageVersions }),
    flowControl?.objects,
    aggregation.registration,
    aggregation.aggregator,
    simulation,
    lab?.controller,
  ].filter((controller) => controller !== undefined);
  return { controllers, flowControl, storageVersions, simulation, lab: lab?.lab };
}
