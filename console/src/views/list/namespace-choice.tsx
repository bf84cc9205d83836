import { useLiveTable } from "../../parts/use-live-table.ts";

/** A list of namespaces, or a text field when the user may not list them. */
export function NamespaceChoice(props: {
  readonly value: string;
  readonly onChange: (value: string) => void;
}) {
  const table = useLiveTable("/api/v1/namespaces");
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
