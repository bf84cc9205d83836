import { serviceUnavailable } from "../apimachinery/errors/status.js";
import type { Route } from "../serving/routing/router.js";
import type { MovableClock } from "../time/movable-clock.js";
import { type ServerClock, serverClock } from "./clock/server-clock.js";
import { Forks, type StartFork } from "./forks/forks.js";
import { clockRoutes } from "./routes/clock-routes.js";
import { forkRoutes } from "./routes/fork-routes.js";
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
  readonly #forks = new Forks((snapshot) => this.#startFork(snapshot));
  #startFork: StartFork = () => Promise.reject(serviceUnavailable("the server is about to start"));

  constructor({ clock, snapshots }: LabParts) {
    this.clock = serverClock(clock);
    this.snapshots = new Snapshots({
      ...snapshots,
      now: () => new Date(clock.now()),
      rewound: () => clock.settled(),
    });
  }

  /** Who starts forks, as soon as the server is there. */
  forksBy(start: StartFork): void {
    this.#startFork = start;
  }

  get routes(): readonly Route[] {
    return [...clockRoutes(this.clock), ...snapshotRoutes(this.snapshots), ...forkRoutes(this.#forks)];
  }
}
