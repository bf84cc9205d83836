import { badRequest } from "../../apimachinery/errors/status.js";
import type { JsonObject } from "../../apimachinery/json/json-value.js";
import type { Route } from "../../serving/routing/router.js";
import type { ServerClock } from "../clock/server-clock.js";
import { labRoute } from "./lab-route.js";

/** `GET /lab/clock`; `POST /lab/clock/advance?by=1h`, `/freeze` and `/resume`. Each answers with the time. */
export function clockRoutes(clock: ServerClock): readonly Route[] {
  const shown = (): JsonObject => ({ now: clock.now().toISOString(), frozen: clock.isFrozen });
  return [
    labRoute("/clock", { GET: shown }),
    labRoute("/clock/advance", {
      async POST({ query }) {
        const by = query.get("by");
        if (by === null) throw badRequest("say how far: advance?by=1h30m");
        await clock.advance(by);
        return shown();
      },
    }),
    labRoute("/clock/freeze", {
      POST() {
        clock.freeze();
        return shown();
      },
    }),
    labRoute("/clock/resume", {
      POST() {
        clock.resume();
        return shown();
      },
    }),
  ];
}
