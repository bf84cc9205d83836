import type { Signal } from "@preact/signals";

/** Runs the action of a button, and shows the message that it resolves with. */
export type Act = (work: () => Promise<string>) => void;

export function Field(props: {
  readonly label: string;
  readonly hint: string;
  readonly value: Signal<string>;
}) {
  const { label, hint, value } = props;
  return (
    <input
      type="text"
      aria-label={label}
      placeholder={hint}
      value={value}
      onInput={(event) => {
        value.value = event.currentTarget.value;
      }}
    />
  );
}
