import { useComputed, useSignal } from "@preact/signals";
import { type JsonObject, textAt } from "../../api/json.ts";
import { useLiveTable } from "../../parts/use-live-table.ts";
import { objectHref } from "../../state/route.ts";
import { ObjectGrid } from "../list/object-grid.tsx";
import { chosenRows, type Sort } from "../list/order.ts";

const events = { group: "", version: "v1", plural: "events" };

/** Events about the object. */
export function EventsTab({
  object,
  namespace,
}: {
  readonly object: JsonObject;
  readonly namespace: string;
}) {
  const sort = useSignal<Sort>({ key: 0, isDescending: false });
  const place = namespace === "" ? "default" : namespace;
  const table = useLiveTable(`/api/v1/namespaces/${encodeURIComponent(place)}/events`, {
    fields: `involvedObject.uid=${textAt(object, "metadata", "uid")}`,
  });
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
