import { useComputed } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { may } from "../../api/access.ts";
import { findResource, keyOf, pathOf, type Resource, resources } from "../../api/discovery.ts";
import type { TableState } from "../../api/live-table.ts";
import { useLiveTable } from "../../parts/use-live-table.ts";
import { namespace } from "../../state/namespace.ts";
import { objectHref, query, setQuery } from "../../state/route.ts";
import { NamespaceChoice } from "./namespace-choice.tsx";
import { ObjectGrid } from "./object-grid.tsx";
import { chosenRows, type Sort } from "./order.ts";

export function ListPage({ group, plural }: { readonly group: string; readonly plural: string }) {
  const resource = findResource(group, plural);
  if (resource !== undefined) return <ResourceList key={keyOf(resource)} resource={resource} />;
  return (
    <div class="page">
      <p class="notice">{resources.value.length === 0 ? "Loading…" : `The server has no ${plural}.`}</p>
    </div>
  );
}

function ResourceList({ resource }: { readonly resource: Resource }) {
  const search = useRef<HTMLInputElement>(null);
  const shownNamespace = resource.isNamespaced ? (query.value.get("ns") ?? "") : "";
  const labels = query.value.get("labels") ?? "";
  const fields = query.value.get("fields") ?? "";
  const table = useLiveTable(pathOf(resource, { namespace: shownNamespace }), { labels, fields });
  useEffect(() => {
    if (resource.isNamespaced) namespace.value = shownNamespace;
  }, [resource.isNamespaced, shownNamespace]);
  useEffect(() => focusOnSlash(search), []);

  const words = useComputed(() => query.value.get("q") ?? "");
  const sort = useComputed(() => readSort(query.value.get("sort")));
  const columns = useComputed(() => table.value?.columns.value ?? []);
  const rows = useComputed(() =>
    chosenRows(table.value?.rows.value ?? [], columns.value, words.value, sort.value),
  );
  const showsAll = query.value.get("all") === "1";
  const total = table.value?.rows.value.length ?? 0;
  const mayCreate = may({
    verb: "create",
    group: resource.group,
    plural: resource.plural,
    namespace: shownNamespace,
  }).value;
  return (
    <div class="page list">
      <div class="bar">
        <h1>{resource.kind}</h1>
        <span class="count" role="status">
          {rows.value.length === total ? total : `${rows.value.length} of ${total}`}
        </span>
        <State state={table.value?.state.value ?? "loading"} />
        <span class="space" />
        {mayCreate === true && resource.verbs.has("create") && resource.verbs.has("patch") && (
          <a
            class="button"
            href={objectHref(resource, {
              namespace: shownNamespace || (resource.isNamespaced ? "default" : ""),
              name: "",
            })}
          >
            New
          </a>
        )}
      </div>
      <div class="bar filters">
        {resource.isNamespaced && (
          <NamespaceChoice value={shownNamespace} onChange={(value) => setQuery({ ns: value })} />
        )}
        <input
          ref={search}
          type="search"
          placeholder="Search ( / )"
          aria-label="Search"
          value={words}
          onInput={(event) => setQuery({ q: event.currentTarget.value })}
        />
        <SelectorField
          label="Label selector"
          value={labels}
          onChange={(value) => setQuery({ labels: value })}
        />
        <SelectorField
          label="Field selector"
          value={fields}
          onChange={(value) => setQuery({ fields: value })}
        />
        <label class="check">
          <input
            type="checkbox"
            checked={showsAll}
            onChange={(event) => setQuery({ all: event.currentTarget.checked ? "1" : "" })}
          />
          All columns
        </label>
      </div>
      {(table.value?.problem.value ?? "") !== "" && (
        <p class="notice bad" role="alert">
          {table.value?.problem}
        </p>
      )}
      <ObjectGrid
        label={resource.plural}
        columns={columns}
        rows={rows}
        sort={sort}
        onSort={({ key, isDescending }) => setQuery({ sort: `${isDescending ? "-" : ""}${key}` })}
        showsNamespace={resource.isNamespaced && shownNamespace === ""}
        showsAll={showsAll}
        hrefOf={(row) => (resource.verbs.has("get") ? objectHref(resource, row) : undefined)}
      />
      {total === 0 && table.value?.state.value === "live" && <p class="empty">There are none.</p>}
    </div>
  );
}

const stateTexts: Readonly<Record<TableState, string>> = {
  loading: "loading",
  live: "live",
  interrupted: "interrupted",
  refused: "refused",
};

function State({ state }: { readonly state: TableState }) {
  return <span class={`live ${state}`}>{stateTexts[state]}</span>;
}

/** Takes effect when the user has finished typing, because half a selector is an error. */
function SelectorField(props: {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}) {
  return (
    <input
      type="text"
      class="selector"
      placeholder={props.label}
      aria-label={props.label}
      spellcheck={false}
      value={props.value}
      onChange={(event) => props.onChange(event.currentTarget.value.trim())}
    />
  );
}

function readSort(text: string | null): Sort {
  const key = (text ?? "namespace").replace(/^-/, "");
  return {
    key: key === "namespace" ? "namespace" : Number(key) || 0,
    isDescending: text?.startsWith("-") === true,
  };
}

function focusOnSlash(search: { readonly current: HTMLInputElement | null }): () => void {
  const onKeyDown = (event: KeyboardEvent): void => {
    const { target } = event;
    const isTyping =
      target instanceof HTMLElement &&
      (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));
    if (event.key !== "/" || isTyping) return;
    event.preventDefault();
    search.current?.focus();
  };
  addEventListener("keydown", onKeyDown);
  return () => removeEventListener("keydown", onKeyDown);
}
