import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { may } from "../../api/access.ts";
import { findResource, pathOf, type Resource, resources } from "../../api/discovery.ts";
import { textAt } from "../../api/json.ts";
import { ageOf, now } from "../../parts/age.ts";
import { listHref, setQuery } from "../../state/route.ts";
import { hasLab } from "../../state/session.ts";
import { DeleteDialog } from "./delete-dialog.tsx";
import { EventsTab } from "./events-tab.tsx";
import { HistoryTab, historyPath } from "./history-tab.tsx";
import { LogsTab } from "./logs-tab.tsx";
import { OpenedObject } from "./opened-object.ts";
import { RelationsTab } from "./relations-tab.tsx";
import { YamlTab } from "./yaml-tab.tsx";

export interface ObjectAt {
  readonly group: string;
  readonly plural: string;
  readonly namespace: string;
  /** Empty for a new one. */
  readonly name: string;
}

export function ObjectPage({ at, tab }: { readonly at: ObjectAt; readonly tab: string }) {
  const resource = findResource(at.group, at.plural);
  if (resource !== undefined) return <Opened resource={resource} at={at} tab={tab} />;
  return (
    <div class="page">
      <p class="notice">{resources.value.length === 0 ? "Loading…" : `The server has no ${at.plural}.`}</p>
    </div>
  );
}

function Opened({
  resource,
  at,
  tab,
}: {
  readonly resource: Resource;
  readonly at: ObjectAt;
  readonly tab: string;
}) {
  const opened = useSignal<OpenedObject | undefined>(undefined);
  const isDeleting = useSignal(false);
  // A page shows one object, and is not reloaded when discovery is.
  useEffect(() => {
    const made = new OpenedObject(resource, at);
    opened.value = made;
    return () => made.stop();
  }, []);
  const { group, plural } = resource;
  const mayDelete = may({ verb: "delete", group, plural, namespace: at.namespace, name: at.name }).value;
  const object = opened.value?.object.value;
  const isNew = at.name === "";
  const createdAt = textAt(object, "metadata", "creationTimestamp");
  const hasHistory = hasLab() && may({ verb: "get", path: historyPath }).value === true;
  const tabs = isNew ? ["yaml"] : tabsOf(resource, hasHistory);
  const current = tabs.includes(tab) ? tab : "yaml";
  return (
    <div class="page object">
      <div class="bar">
        <a href={listHref(resource, at.namespace)}>{resource.plural}</a>
        <span class="soft" aria-hidden="true">
          /
        </span>
        <h1>{isNew ? `New ${resource.kind}` : at.name}</h1>
        {at.namespace !== "" && <span class="soft">in {at.namespace}</span>}
        {createdAt !== "" && <span class="soft">{ageOf(Date.parse(createdAt), now.value)} old</span>}
        {textAt(object, "metadata", "deletionTimestamp") !== "" && (
          <span class="state underway">being deleted</span>
        )}
        <span class="space" />
        {object !== undefined &&
          mayDelete === true &&
          resource.verbs.has("delete") &&
          opened.value?.isDeleted.value === false && (
            <button
              type="button"
              class="danger"
              onClick={() => {
                isDeleting.value = true;
              }}
            >
              Delete
            </button>
          )}
      </div>
      {opened.value?.isDeleted.value === true ? (
        <p class="notice bad" role="status">
          This object has been deleted. What you see is how it was.
        </p>
      ) : (
        (opened.value?.problem.value ?? "") !== "" && (
          <p class="notice bad" role="alert">
            {opened.value?.problem}
          </p>
        )
      )}
      {tabs.length > 1 && (
        <div class="tabs" role="tablist" aria-label="About this object" onKeyDown={moveBetweenTabs}>
          {tabs.map((each) => (
            <button
              key={each}
              type="button"
              role="tab"
              aria-selected={each === current}
              tabIndex={each === current ? 0 : -1}
              onClick={() => setQuery({ tab: each === "yaml" ? "" : each })}
            >
              {titles[each]}
            </button>
          ))}
        </div>
      )}
      {opened.value !== undefined && (
        <div class="tab" role="tabpanel" aria-label={titles[current]}>
          {current === "yaml" && <YamlTab opened={opened.value} resource={resource} at={at} />}
          {current === "events" && object !== undefined && (
            <EventsTab object={object} namespace={at.namespace} />
          )}
          {current === "relations" && object !== undefined && (
            <RelationsTab object={object} resource={resource} />
          )}
          {current === "history" && <HistoryTab opened={opened.value} path={pathOf(resource, at)} />}
          {current === "logs" && object !== undefined && <LogsTab pod={object} path={pathOf(resource, at)} />}
        </div>
      )}
      {isDeleting.value && object !== undefined && (
        <DeleteDialog
          path={pathOf(resource, at)}
          what={`${resource.kind} ${at.name}`}
          onClose={() => {
            isDeleting.value = false;
          }}
        />
      )}
    </div>
  );
}

const titles: Readonly<Record<string, string>> = {
  yaml: "YAML",
  events: "Events",
  relations: "Owners and dependents",
  history: "History",
  logs: "Logs",
};

function tabsOf({ subresources, plural, group }: Resource, hasHistory: boolean): readonly string[] {
  const hasLogs = group === "" && plural === "pods" && subresources.has("log");
  return ["yaml", "events", "relations", ...(hasHistory ? ["history"] : []), ...(hasLogs ? ["logs"] : [])];
}

function moveBetweenTabs(event: KeyboardEvent): void {
  const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
  if (step === 0 || !(event.currentTarget instanceof HTMLElement)) return;
  const tabs: (Element | null)[] = [...event.currentTarget.querySelectorAll("button")];
  const next = tabs[tabs.indexOf(document.activeElement) + step];
  if (!(next instanceof HTMLElement)) return;
  next.focus();
  next.click();
}
