import { useComputed } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { may } from "../api/access.ts";
import { customResources, keyOf, type Resource, resources } from "../api/discovery.ts";
import { followMetrics, latest } from "../api/metrics.ts";
import { listHref } from "../state/route.ts";
import { session } from "../state/session.ts";
import { sectionsOf } from "./shell/sections.ts";

/** How many objects of each resource the server stores, from its own metrics. */
export function OverviewPage() {
  const mayCount = may({ verb: "get", path: "/metrics" }).value;
  useEffect(() => (mayCount === true ? followMetrics() : undefined), [mayCount]);
  const counts = useComputed(() => latest.value?.objects());
  const current = session.value;
  if (current === undefined || current === "unknown") return null;
  return (
    <div class="page">
      <div class="bar">
        <h1>What is in the server</h1>
        <span class="soft">
          API level {current.server.level}, profile {current.server.profile}, signed in as {current.user}
        </span>
      </div>
      {mayCount === false && (
        <p class="notice">
          You may not read the server’s metrics, which count its objects. The resources are on the left.
        </p>
      )}
      {sectionsOf(resources.value).map(({ title, resources: members }) => {
        const counted = members
          .map((resource) => ({ resource, count: counts.value?.get(keyOf(resource)) ?? 0 }))
          .filter(({ resource, count }) => count > 0 || isAlwaysShown(resource));
        if (counted.length === 0) return null;
        return (
          <section key={title}>
            <h2 class="soft">{title}</h2>
            <div class="tiles">
              {counted.map(({ resource, count }) => (
                <a key={keyOf(resource)} class="tile" href={listHref(resource)} title={keyOf(resource)}>
                  <b>{counts.value === undefined ? "–" : count}</b>
                  <span>{resource.plural}</span>
                </a>
              ))}
            </div>
          </section>
        );
      })}
    </div>
  );
}

const always = /^(pods|deployments|configmaps|secrets|services|namespaces|nodes)$/;

function isAlwaysShown(resource: Resource): boolean {
  return (
    (always.test(resource.plural) && !resource.group.includes(".")) ||
    customResources.value.has(keyOf(resource))
  );
}
