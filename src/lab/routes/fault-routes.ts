import { notFound, pageNotFound } from "../../apimachinery/errors/status.js";
import type { JsonObject } from "../../apimachinery/json/json-value.js";
import type { Route } from "../../serving/routing/router.js";
import type { ServerFaults, Storm, StormReport } from "../faults/server-faults.js";
import { stormNames } from "../faults/storms.js";
import { labRoute } from "./lab-route.js";

/**
 * `GET /lab/faults`; `POST /lab/storms/NAME` (`?seed=1&user=…&userAgent=…`, which may be repeated) starts a storm, `GET` reports on it and
 * `DELETE` ends it with its report. `open` are those in progress.
 */
export function faultRoutes(faults: ServerFaults, open: Map<string, Storm>): readonly Route[] {
  const opened = (name: string): Storm => {
    const storm = open.get(name);
    if (storm === undefined) throw notFound({ group: "", resource: "storms" }, name);
    return storm;
  };
  return [
    labRoute("/faults", { GET: () => ({ items: faults.list().map((each) => ({ ...each })) }) }),
    labRoute("/storms", { GET: () => ({ items: [...open.values()].map((storm) => shown(storm.report())) }) }),
    labRoute("/storms/*", {
      GET: (_context, name) => shown(opened(name).report()),
      POST({ query }, rest) {
        const name = stormNames.find((each) => each === rest);
        if (name === undefined) throw pageNotFound();
        open.get(name)?.stop();
        const seed = Number(query.get("seed") ?? 1);
        if (!Number.isSafeInteger(seed)) throw new RangeError(`seed: not an integer: ${query.get("seed")}`);
        const users = query.getAll("user");
        const userAgents = query.getAll("userAgent");
        const match = { ...(users.length > 0 && { users }), ...(userAgents.length > 0 && { userAgents }) };
        const storm = faults.storm(name, { seed, match });
        open.set(name, storm);
        return shown(storm.report());
      },
      DELETE(_context, name) {
        const report = opened(name).stop();
        open.delete(name);
        return shown(report);
      },
    }),
  ];
}

function shown({ storm, seed, injected, clients }: StormReport): JsonObject {
  return { storm, seed, injected: { ...injected }, clients: clients.map((client) => ({ ...client })) };
}
