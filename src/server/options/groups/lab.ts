import { parseStorm, type StormSetting, stormNames } from "../../../lab/faults/storms.js";
import {
  formatSimulation,
  parseSimulation,
  type SimulationSettings,
} from "../../../simulation/machinery/settings.js";
import { optionGroup } from "../option.js";
import { bool, custom } from "../value-types.js";

export const lab = optionGroup("Lab", {
  lab: bool({
    help: "For tests of controllers and operators, never for a real cluster: a clock that can be moved, snapshots to rewind to, and faults, through the library and the paths below /lab.",
  }),
  "lab-storm": custom<StormSetting | undefined>(
    {
      typeName: "string",
      parse: parseStorm,
      format: (storm) => (storm === undefined ? "" : `${storm.name}:${storm.seed}`),
    },
    {
      default: undefined,
      help: `With --lab: start with a storm of faults, such as network, or network:7 with a seed of its own, for suites that start the server themselves. One of ${stormNames.join(", ")}.`,
    },
  ),
  simulate: custom<SimulationSettings | undefined>(
    { typeName: "", parse: parseSimulation, format: formatSimulation },
    {
      default: undefined,
      help: "Simulate a cluster: controllers of workloads, a scheduler, and nodes that run pods in name only. A value sets its shape: nodes=3,cpu=8,memory=32Gi,pods=110,zones=1,pull=0s,run=1s,stop=0s,storage-class=standard.",
    },
  ),
});
