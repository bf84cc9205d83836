export type { ApiLevel } from "./apimachinery/levels/api-level.js";
export type { ServerClock } from "./lab/clock/server-clock.js";
export type {
  FaultEffect,
  FaultFrequency,
  FaultMatch,
  FaultSpec,
  FaultStatus,
  WatchFault,
} from "./lab/faults/fault-spec.js";
export type { ClientReport } from "./lab/faults/follow-ups.js";
export type { InjectedFault, ServerFaults, Storm, StormReport } from "./lab/faults/server-faults.js";
export type { StormName, StormOptions } from "./lab/faults/storms.js";
export type { FieldChange, ObjectVersion, ServerHistory } from "./lab/history/object-history.js";
export type { RecordingText } from "./lab/recording/read-recording.js";
export type { RecordingState, ServerRecorder } from "./lab/recording/recorder.js";
export type { ReplayDifference, ReplayReport } from "./lab/recording/replay.js";
export type { RewindReport, Snapshot } from "./lab/snapshots/snapshots.js";
export type { ProfileName } from "./naming/naming.js";
export type { KubeconfigSubject } from "./server/admin-kubeconfig.js";
export type { Options } from "./server/options/options.js";
export { type ReplayPlace, replay } from "./server/replay.js";
export {
  type RunningApiServer,
  type StartApiServerOptions,
  startApiServer,
} from "./server/start-api-server.js";
export type { SimulationSettings } from "./simulation/machinery/settings.js";
