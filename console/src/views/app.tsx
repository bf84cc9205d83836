import { useEffect } from "preact/hooks";
import { forgetAccess } from "../api/access.ts";
import { followDiscovery } from "../api/discovery.ts";
import { findLab } from "../api/lab.ts";
import { query, route } from "../state/route.ts";
import { hasLab, session } from "../state/session.ts";
import { LabPage } from "./lab/lab-page.tsx";
import { ListPage } from "./list/list-page.tsx";
import { ObjectPage } from "./object/object-page.tsx";
import { OverviewPage } from "./overview-page.tsx";
import { ServerPage } from "./server/server-page.tsx";
import { Shell } from "./shell/shell.tsx";
import { SignInPage } from "./sign-in-page.tsx";

export function App() {
  const current = session.value;
  if (current === "unknown") return null;
  if (current === undefined) return <SignInPage />;
  return <SignedIn key={current.user} />;
}

function SignedIn() {
  useEffect(() => {
    const ending = new AbortController();
    forgetAccess();
    if (hasLab()) void findLab();
    void followDiscovery(ending.signal);
    return () => ending.abort();
  }, []);
  return (
    <Shell>
      <Page />
    </Shell>
  );
}

function Page() {
  const at = route.value;
  switch (at.page) {
    case "overview":
      return <OverviewPage />;
    case "server":
      return <ServerPage />;
    case "lab":
      return <LabPage />;
    case "list":
      return <ListPage key={`${at.group}/${at.plural}`} group={at.group} plural={at.plural} />;
    case "object": {
      const { group, plural, namespace, name } = at;
      const key = [group, plural, namespace, name].join("/");
      return (
        <ObjectPage key={key} at={{ group, plural, namespace, name }} tab={query.value.get("tab") ?? ""} />
      );
    }
  }
}
