import { methodNotAllowed } from "../../apimachinery/errors/status.js";
import type { JsonObject } from "../../apimachinery/json/json-value.js";
import type { Route } from "../../serving/routing/router.js";
import type { ServerRecorder } from "../recording/recorder.js";
import { labPath, labRoute } from "./lab-route.js";

/** `GET /lab/recording` says how it stands; `POST …/start` and `…/stop`; `GET …/download` has what is recorded, a line for each request. */
export function recordingRoutes(recorder: ServerRecorder): readonly Route[] {
  const shown = (): JsonObject => {
    const { isRecording, calls, isFull } = recorder.state;
    return { recording: isRecording, calls, full: isFull };
  };
  return [
    labRoute("/recording", { GET: shown }),
    labRoute("/recording/start", {
      POST() {
        recorder.start();
        return shown();
      },
    }),
    labRoute("/recording/stop", {
      POST() {
        recorder.stop();
        return shown();
      },
    }),
    {
      path: `${labPath}/recording/download`,
      listed: true,
      async handle({ exchange }) {
        if (exchange.method !== "GET") throw methodNotAllowed();
        exchange.respond(200, { "Content-Type": "application/x-ndjson" }, recorder.text());
      },
    },
  ];
}
