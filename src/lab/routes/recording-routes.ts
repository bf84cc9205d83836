import { methodNotAllowed } from "../../apimachinery/errors/status.js";
import type { JsonObject } from "../../apimachinery/json/json-value.js";
import type { Route } from "../../serving/routing/router.js";
import type { ServerRecorder } from "../recording/recorder.js";
import { labPath, labRoute } from "./lab-route.js";

/** `GET /lab/recording` returns its state; `POST …/start` and `…/stop`; `GET …/download` returns the recording, one request per line. */
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
      async POST() {
        await recorder.stop();
        return shown();
      },
    }),
    {
      path: `${labPath}/recording/download`,
      listed: true,
      async handle({ exchange }) {
        if (exchange.method !== "GET") throw methodNotAllowed();
        const stream = exchange.startStream(200, { "Content-Type": "application/x-ndjson" });
        for await (const piece of recorder.read()) {
          if (stream.closed) return;
          if (!stream.write(piece)) await stream.drained();
        }
        stream.end();
      },
    },
  ];
}
