import { useSignal } from "@preact/signals";
import { messageOf, send } from "../../api/request.ts";
import { Dialog } from "../../parts/dialog.tsx";

const policies = [
  ["Background", "Delete, and its dependents afterwards"],
  ["Foreground", "Delete its dependents first"],
  ["Orphan", "Delete it alone, and leave its dependents"],
] as const;

export function DeleteDialog(props: {
  readonly path: string;
  readonly what: string;
  readonly onClose: () => void;
}) {
  const policy = useSignal<string>("Background");
  const problem = useSignal("");
  const remove = async (): Promise<void> => {
    try {
      await send(`${props.path}?propagationPolicy=${policy.value}`, { method: "DELETE" });
      props.onClose();
    } catch (error) {
      problem.value = messageOf(error);
    }
  };
  return (
    <Dialog title={`Delete ${props.what}?`} onClose={props.onClose}>
      <fieldset>
        <legend class="hidden">Dependents</legend>
        {policies.map(([value, text]) => (
          <label key={value} class="check">
            <input
              type="radio"
              name="policy"
              value={value}
              checked={policy.value === value}
              onChange={() => {
                policy.value = value;
              }}
            />
            {text}
          </label>
        ))}
      </fieldset>
      {problem.value !== "" && (
        <p class="notice bad" role="alert">
          {problem}
        </p>
      )}
      <div class="row end">
        <button type="button" onClick={props.onClose}>
          Keep it
        </button>
        <button type="button" class="danger primary" onClick={() => void remove()}>
          Delete
        </button>
      </div>
    </Dialog>
  );
}
