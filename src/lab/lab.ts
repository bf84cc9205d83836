import type { Route } from "../serving/routing/router.js";
import type { MovableClock } from "../time/movable-clock.js";
import { type ServerClock, serverClock } from "./clock/server-clock.js";
import { clockRoutes } from "./routes/clock-routes.js";

export interface LabParts {
  readonly clock: MovableClock;
}

/** What a server offers to tests, as a library and at its paths. */
export class Lab {
  readonly clock: ServerClock;

  constructor({ clock }: LabParts) {
    this.clock = serverClock(clock);
  }

  get routes(): readonly Route[] {
    return clockRoutes(this.clock);
  }
}
