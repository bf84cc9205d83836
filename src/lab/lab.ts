import type { Route } from "../serving/routing/router.js";
import type { MovableClock } from "../time/movable-clock.js";
import { type ServerClock, serverClock } from "./clock/server-clock.js";
import { clockRoutes } from "./routes/clock-routes.js";
import { snapshotRoutes } from "./routes/snapshot-routes.js";
import { Snapshots, type SnapshotsParts } from "./snapshots/snapshots.js";

export interface LabParts {
  readonly clock: MovableClock;
  readonly snapshots: Omit<SnapshotsParts, "now" | "rewound">;
}

/** What a server offers to tests, as a library and at its paths. */
export class Lab {
  readonly clock: ServerClock;
  readonly snapshots: Snapshots;

  constructor({ clock, snapshots }: LabParts) {
    this.clock = serverClock(clock);
    this.snapshots = new Snapshots({
      ...snapshots,
      now: () => new Date(clock.now()),
      rewound: () => clock.settled(),
    });
  }

  get routes(): readonly Route[] {
    return [...clockRoutes(this.clock), ...snapshotRoutes(this.snapshots)];
  }
}
