import { type ReadonlySignal, useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { LiveTable } from "../api/live-table.ts";

/** The rows of a list while the component is mounted. */
export function useLiveTable(
  path: string,
  { labels = "", fields = "" }: { readonly labels?: string; readonly fields?: string } = {},
): ReadonlySignal<LiveTable | undefined> {
  const table = useSignal<LiveTable | undefined>(undefined);
  useEffect(() => {
    const opened = new LiveTable(path, { labels, fields });
    table.value = opened;
    return () => opened.stop();
  }, [path, labels, fields, table]);
  return table;
}
