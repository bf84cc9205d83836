import type { JsonObject } from "../../apimachinery/json/json-value.js";
import type { Route } from "../../serving/routing/router.js";
import type { Forks, NamedFork } from "../forks/forks.js";
import { labRoute } from "./lab-route.js";

/**
 * `GET` and `POST /lab/forks` (`?snapshot=NAME`), `DELETE /lab/forks/NAME`. The answer has the address of the fork, which accepts the
 * caller's credentials.
 */
export function forkRoutes(forks: Forks): readonly Route[] {
  return [
    labRoute("/forks", {
      GET: () => ({ items: forks.list().map(shown) }),
      POST: async ({ query }) => shown(await forks.start(query.get("snapshot") ?? undefined)),
    }),
    labRoute("/forks/*", {
      async DELETE(_context, name) {
        await forks.stop(name);
        return { deleted: name };
      },
    }),
  ];
}

function shown({ name, url }: NamedFork): JsonObject {
  return { name, url };
}
