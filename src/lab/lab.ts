import { serviceUnavailable } from "../apimachinery/errors/status.js";
import type { Filter } from "../serving/filters/filter.js";
import type { Route } from "../serving/routing/router.js";
import type { MovableClock } from "../time/movable-clock.js";
import { type ServerClock, serverClock } from "./clock/server-clock.js";
import type { FaultEngine } from "./faults/fault-engine.js";
import { faultFilter, type StaleReads } from "./faults/fault-filter.js";
import { type ServerFaults, type Storm, serverFaults } from "./faults/server-faults.js";
import type { StormSetting } from "./faults/storms.js";
import { Forks, type StartFork } from "./forks/forks.js";
import { objectHistory, type ServerHistory, type StoredPlace, undoTo } from "./history/object-history.js";
import { UsersOfWrites } from "./history/users-of-writes.js";
import type { BodyReader } from "./recording/body-reader.js";
import { Recorder } from "./recording/recorder.js";
import { clockRoutes } from "./routes/clock-routes.js";
import { faultRoutes } from "./routes/fault-routes.js";
import { forkRoutes } from "./routes/fork-routes.js";
import { historyRoutes } from "./routes/history-routes.js";
import { recordingRoutes } from "./routes/recording-routes.js";
import { snapshotRoutes } from "./routes/snapshot-routes.js";
import { Snapshots, type SnapshotsParts } from "./snapshots/snapshots.js";

export interface LabParts {
  readonly clock: MovableClock;
  readonly snapshots: Omit<SnapshotsParts, "now" | "rewound" | "started">;
  readonly faults: FaultEngine;
  /** The storm to start with. */
  readonly storm: StormSetting | undefined;
  /** API group of the lab's own kinds. */
  readonly group: string;
  readonly stale: StaleReads;
  readonly bodies: BodyReader;
  /** Where the object at an API path is stored. Throws a `StatusError` for any other path. */
  readonly placeOf: (path: string) => StoredPlace;
}

/** What a server offers to tests, in the library and at its paths. */
export class Lab {
  readonly clock: ServerClock;
  readonly snapshots: Snapshots;
  readonly faults: ServerFaults;
  /** Applied to all requests. */
  readonly filter: Filter;
  readonly recorder: Recorder;
  /** Storms that were started through paths, by name. */
  readonly #storms = new Map<string, Storm>();
  readonly #forks = new Forks((snapshot) => this.#startFork(snapshot));
  #startFork: StartFork = () => Promise.reject(serviceUnavailable("the server is about to start"));
  #begin: () => void = () => undefined;

  readonly history: ServerHistory;
  readonly #users = new UsersOfWrites();
  /** Called for each write of an audited request. */
  readonly noteWriter = (revision: number, user: string): void => this.#users.note(revision, user);

  constructor({ clock, snapshots, faults, storm, group, stale, bodies, placeOf }: LabParts) {
    this.clock = serverClock(clock);
    this.snapshots = new Snapshots({
      ...snapshots,
      now: () => new Date(clock.now()),
      started: new Promise((resolve) => {
        this.#begin = resolve;
      }),
      rewound: () => clock.settled(),
    });
    this.faults = serverFaults(faults);
    this.recorder = new Recorder(bodies);
    if (storm !== undefined) this.#storms.set(storm.name, this.faults.storm(storm.name, storm));
    const { store } = snapshots;
    this.history = {
      of: async (path) => await objectHistory(store, placeOf(path), this.#users),
      undo: async (path, version) => await undoTo(store, placeOf(path), version),
    };
    this.filter = faultFilter(faults, { group, stale });
  }

  /** Call it when the bootstrap has finished and forks can be started. */
  begin(startFork: StartFork): void {
    this.#startFork = startFork;
    this.#begin();
  }

  get routes(): readonly Route[] {
    return [
      ...clockRoutes(this.clock),
      ...snapshotRoutes(this.snapshots),
      ...forkRoutes(this.#forks),
      ...faultRoutes(this.faults, this.#storms),
      ...historyRoutes(this.history),
      ...recordingRoutes(this.recorder),
    ];
  }
}
