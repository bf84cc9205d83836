import { serviceUnavailable } from "../apimachinery/errors/status.js";
import type { Filter } from "../serving/filters/filter.js";
import type { Route } from "../serving/routing/router.js";
import type { MovableClock } from "../time/movable-clock.js";
import { type ServerClock, serverClock } from "./clock/server-clock.js";
import type { FaultEngine } from "./faults/fault-engine.js";
import { faultFilter, type StaleReads } from "./faults/fault-filter.js";
import { type ServerFaults, serverFaults } from "./faults/server-faults.js";
import { Forks, type StartFork } from "./forks/forks.js";
import { clockRoutes } from "./routes/clock-routes.js";
import { faultRoutes } from "./routes/fault-routes.js";
import { forkRoutes } from "./routes/fork-routes.js";
import { snapshotRoutes } from "./routes/snapshot-routes.js";
import { Snapshots, type SnapshotsParts } from "./snapshots/snapshots.js";

export interface LabParts {
  readonly clock: MovableClock;
  readonly snapshots: Omit<SnapshotsParts, "now" | "rewound">;
  readonly faults: FaultEngine;
  /** Of the lab's own kinds. */
  readonly group: string;
  readonly stale: StaleReads;
}

/** What a server offers to tests, as a library and at its paths. */
export class Lab {
  readonly clock: ServerClock;
  readonly snapshots: Snapshots;
  readonly faults: ServerFaults;
  /** For requests. */
  readonly filter: Filter;
  readonly #forks = new Forks((snapshot) => this.#startFork(snapshot));
  #startFork: StartFork = () => Promise.reject(serviceUnavailable("the server is about to start"));

  constructor({ clock, snapshots, faults, group, stale }: LabParts) {
    this.clock = serverClock(clock);
    this.snapshots = new Snapshots({
      ...snapshots,
      now: () => new Date(clock.now()),
      rewound: () => clock.settled(),
    });
    this.faults = serverFaults(faults);
    this.filter = faultFilter(faults, { group, stale });
  }

  /** Who starts forks, as soon as the server is there. */
  forksBy(start: StartFork): void {
    this.#startFork = start;
  }

  get routes(): readonly Route[] {
    return [
      ...clockRoutes(this.clock),
      ...snapshotRoutes(this.snapshots),
      ...forkRoutes(this.#forks),
      ...faultRoutes(this.faults),
    ];
  }
}
