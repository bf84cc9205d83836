import { optionGroup } from "../option.js";
import { bool } from "../value-types.js";

export const lab = optionGroup("Lab", {
  lab: bool({
    help: "For tests of what works with a cluster, never for a cluster: a clock that can be moved, snapshots to rewind to. The library and the paths below /lab offer them.",
  }),
});
