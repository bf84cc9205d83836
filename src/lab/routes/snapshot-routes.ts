import { badRequest, methodNotAllowed, pageNotFound } from "../../apimachinery/errors/status.js";
import type { JsonObject } from "../../apimachinery/json/json-value.js";
import type { Route } from "../../serving/routing/router.js";
import type { Snapshot, Snapshots } from "../snapshots/snapshots.js";
import { labRoute } from "./lab-route.js";

/**
 * `GET` and `POST /lab/snapshots` (`?name=NAME`), `POST /lab/snapshots/NAME/rewind`, `DELETE /lab/snapshots/NAME`. Rewinding needs no body,
 * because a test suite does it before each test.
 */
export function snapshotRoutes(snapshots: Snapshots): readonly Route[] {
  return [
    labRoute("/snapshots", {
      GET: () => ({ items: snapshots.list().map(shown) }),
      POST: async ({ query }) => shown(await snapshots.create(query.get("name") ?? undefined)),
    }),
    labRoute("/snapshots/*", {
      async POST(_context, rest) {
        const [name = "", action, ...more] = rest.split("/");
        if (action !== "rewind" || more.length > 0) throw pageNotFound();
        return { ...(await snapshots.rewind(name)) };
      },
      DELETE(_context, name) {
        if (name.includes("/")) throw methodNotAllowed();
        if (name === "") throw badRequest("name the snapshot");
        snapshots.delete(name);
        return { deleted: name };
      },
    }),
  ];
}

function shown({ name, createdAt }: Snapshot): JsonObject {
  return { name, createdAt: createdAt.toISOString() };
}
