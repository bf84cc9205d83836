import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { LiveTable } from "../../api/live-table.ts";

/** A list of namespaces, or a field for one where they may not be listed. */
export function NamespaceChoice(props: {
  readonly value: string;
  readonly onChange: (value: string) => void;
}) {
  const table = useSignal<LiveTable | undefined>(undefined);
  useEffect(() => {
    const opened = new LiveTable("/api/v1/namespaces");
    table.value = opened;
    return () => opened.stop();
  }, [table]);
  const names = (table.value?.rows.value ?? []).map(({ name }) => name).sort();
  if (table.value?.state.value === "refused") {
    return (
      <input
        type="text"
        placeholder="Namespace"
        aria-label="Namespace"
        value={props.value}
        onChange={(event) => props.onChange(event.currentTarget.value.trim())}
      />
    );
  }
  const shown = props.value === "" || names.includes(props.value) ? names : [props.value, ...names];
  return (
    <select
      aria-label="Namespace"
      value={props.value}
      onChange={(event) => props.onChange(event.currentTarget.value)}
    >
      <option value="">All namespaces</option>
      {shown.map((name) => (
        <option key={name} value={name}>
          {name}
        </option>
      ))}
    </select>
  );
}
