import { useComputed, useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { type JsonObject, textAt } from "../../api/json.ts";
import { LiveTable } from "../../api/live-table.ts";
import { objectHref } from "../../state/route.ts";
import { ObjectGrid } from "../list/object-grid.tsx";
import { chosenRows, type Sort } from "../list/order.ts";

const events = { group: "", version: "v1", plural: "events" };

/** What was recorded about the object. */
export function EventsTab({
  object,
  namespace,
}: {
  readonly object: JsonObject;
  readonly namespace: string;
}) {
  const table = useSignal<LiveTable | undefined>(undefined);
  const sort = useSignal<Sort>({ key: 0, isDescending: false });
  const uid = textAt(object, "metadata", "uid");
  useEffect(() => {
    const place = namespace === "" ? "default" : namespace;
    const opened = new LiveTable(`/api/v1/namespaces/${encodeURIComponent(place)}/events`, {
      fields: `involvedObject.uid=${uid}`,
    });
    table.value = opened;
    return () => opened.stop();
  }, [namespace, uid, table]);
  const columns = useComputed(() => table.value?.columns.value ?? []);
  const rows = useComputed(() => chosenRows(table.value?.rows.value ?? [], columns.value, "", sort.value));
  const problem = table.value?.problem.value ?? "";
  if (problem !== "") return <p class="notice bad">{problem}</p>;
  if (table.value?.state.value === "live" && rows.value.length === 0)
    return <p class="soft">No events are recorded about this object.</p>;
  return (
    <ObjectGrid
      label="Events"
      columns={columns}
      rows={rows}
      sort={sort}
      onSort={(next) => {
        sort.value = next;
      }}
      showsNamespace={false}
      showsAll={false}
      hrefOf={(row) => objectHref(events, row)}
    />
  );
}
