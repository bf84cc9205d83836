import { badRequest } from "../../apimachinery/errors/status.js";
import type { RequestContext } from "../../serving/request/request-context.js";
import type { Route } from "../../serving/routing/router.js";
import type { ObjectVersion, ServerHistory } from "../history/object-history.js";
import { labRoute } from "./lab-route.js";

/** `GET /lab/history?path=PATH` shows the versions of an object; `POST …&undo=VERSION` writes one of them again. */
export function historyRoutes(history: ServerHistory): readonly Route[] {
  return [
    labRoute("/history", {
      GET: async (context) => ({ items: (await history.of(pathOf(context))).map(shown) }),
      async POST(context) {
        const version = context.query.get("undo");
        if (version === null) throw badRequest("say which version: undo=VERSION");
        await history.undo(pathOf(context), version);
        return { undone: version };
      },
    }),
  ];
}

function pathOf({ query }: RequestContext): string {
  const path = query.get("path");
  if (path === null) throw badRequest("say of which object: path=/api/v1/namespaces/default/configmaps/NAME");
  return path;
}

function shown({ changes, managers, user, time, ...version }: ObjectVersion) {
  return {
    ...version,
    managers: [...managers],
    ...(user !== undefined && { user }),
    ...(time !== undefined && { time }),
    changes: changes.map(({ path, before, after }) => ({
      path,
      ...(before !== undefined && { before }),
      ...(after !== undefined && { after }),
    })),
  };
}
