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
    help: "Enable the lab, for tests of controllers and operators: a clock that tests can move, snapshots to rewind to, and injected faults, through the library and the paths below /lab. Never use it for a real cluster.",
  }),
  "lab-storm": custom<StormSetting | undefined>(
    {
      typeName: "string",
      parse: parseStorm,
      format: (storm) => (storm === undefined ? "" : `${storm.name}:${storm.seed}`),
    },
    {
      default: undefined,
      help: `Storm of faults that begins at the start, for test suites that start the server themselves: NAME, or NAME:SEED to choose the seed, such as network:7. Needs --lab. Storms: ${stormNames.join(", ")}.`,
    },
  ),
  simulate: custom<SimulationSettings | undefined>(
    { typeName: "", parse: parseSimulation, format: formatSimulation },
    {
      default: undefined,
      help: "Simulate a cluster: workload controllers, a scheduler, and nodes that report pods as running without starting containers. A value sets its shape, as in nodes=3,cpu=8,memory=32Gi,pods=110,zones=1,pull=0s,run=1s,stop=0s,storage-class=standard.",
    },
  ),
});
