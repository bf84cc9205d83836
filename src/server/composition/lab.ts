import type { Lab } from "../../lab/lab.js";
import type { ApiServerParts } from "../settings/api-server-parts.js";

/** What `--lab` gives to tests, loaded only then. */
export async function createLab({ options, clock }: ApiServerParts): Promise<Lab | undefined> {
  if (!options.lab) return undefined;
  const [{ Lab: Made }, { MovableClock }] = await Promise.all([
    import("../../lab/lab.js"),
    import("../../time/movable-clock.js"),
  ]);
  if (!(clock instanceof MovableClock)) throw new Error("a lab has a clock that can be moved");
  return new Made({ clock });
}
