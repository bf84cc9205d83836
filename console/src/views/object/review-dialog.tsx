import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { Resource } from "../../api/discovery.ts";
import { type JsonObject, textAt } from "../../api/json.ts";
import { messageOf } from "../../api/request.ts";
import type { Schema } from "../../api/schema.ts";
import { type Edit, keptBy, type Outcome, write } from "../../api/writes.ts";
import { Dialog } from "../../parts/dialog.tsx";
import type * as YamlPart from "../../yaml/yaml-part.ts";

export interface ReviewDialogProps {
  readonly yaml: typeof YamlPart;
  readonly resource: Resource;
  /** The object that the edit started from. */
  readonly base: JsonObject | undefined;
  /** The object as it is now. */
  readonly newest: JsonObject | undefined;
  readonly edited: JsonObject;
  readonly schema: Schema | undefined;
  readonly onClose: () => void;
  readonly onApplied: (name: string, namespace: string) => void;
}

/** Shows what would change according to a dry run; then makes the change. */
export function ReviewDialog(props: ReviewDialogProps) {
  const { yaml, resource, base, newest, edited, schema } = props;
  const takesOver = useSignal(false);
  const replaces = useSignal(false);
  const outcome = useSignal<Outcome | undefined>(undefined);
  /** Kept when the fields are taken over, so that the user sees whose they were. */
  const managers = useSignal<ReadonlyMap<string, readonly string[]>>(new Map());
  const kept = useSignal<readonly string[]>([]);
  const problem = useSignal("");
  const isBusy = useSignal(false);

  const run = async (isTried: boolean): Promise<Outcome | undefined> => {
    isBusy.value = true;
    problem.value = "";
    try {
      const edit: Edit = {
        resource,
        base,
        edited,
        schema,
        takesOver: takesOver.value,
        replaces: replaces.value,
      };
      const result = await write(edit, isTried, yaml.parseExactly);
      outcome.value = result;
      if (result.kind === "conflicts") managers.value = result.managers;
      if (result.kind === "done" && isTried && !edit.replaces) kept.value = keptBy(edit, result.object);
      return result;
    } catch (error) {
      problem.value = messageOf(error);
      return undefined;
    } finally {
      isBusy.value = false;
    }
  };
  // Repeats the dry run when the way of writing changes.
  useEffect(() => {
    void run(true);
  }, [takesOver.value, replaces.value]);

  const apply = async (): Promise<void> => {
    const result = await run(false);
    if (result?.kind !== "done") return;
    const { object } = result;
    props.onApplied(textAt(object, "metadata", "name"), textAt(object, "metadata", "namespace"));
  };
  const shown = outcome.value;
  return (
    <Dialog title="Review changes" isWide onClose={props.onClose}>
      <div class="review">
        {shown === undefined && problem.value === "" && <p class="soft">Asking the server…</p>}
        {problem.value !== "" && (
          <p class="notice bad" role="alert">
            {problem}
          </p>
        )}
        {shown?.kind === "refused" && (
          <div class="notice bad" role="alert">
            <p>{shown.error.message}</p>
          </div>
        )}
        {managers.value.size > 0 && !replaces.value && (
          <Conflicts managers={managers.value} takesOver={takesOver} />
        )}
        {kept.value.length > 0 && (
          <div class="notice">
            <p>Other managers hold fields that you removed. They stay:</p>
            <Fields fields={kept.value} />
            <label class="check">
              <input
                type="checkbox"
                checked={replaces}
                onChange={(event) => {
                  replaces.value = event.currentTarget.checked;
                }}
              />
              Write the whole object instead, without them
            </label>
          </div>
        )}
        {shown?.kind === "done" &&
          shown.warnings.map((warning) => (
            <p key={warning} class="notice">
              {warning}
            </p>
          ))}
        {shown?.kind === "done" && (
          <Difference
            yaml={yaml}
            from={newest === undefined ? "" : yaml.printYaml(yaml.shownObject(newest, false))}
            to={yaml.printYaml(yaml.shownObject(shown.object, false))}
          />
        )}
      </div>
      <div class="row end">
        <button type="button" onClick={props.onClose}>
          Back to the text
        </button>
        <button
          type="button"
          class="primary"
          disabled={isBusy.value || shown?.kind !== "done"}
          onClick={() => void apply()}
        >
          Apply
        </button>
      </div>
    </Dialog>
  );
}

function Conflicts(props: {
  readonly managers: ReadonlyMap<string, readonly string[]>;
  readonly takesOver: { value: boolean };
}) {
  const { managers, takesOver } = props;
  return (
    <div class="notice conflicts">
      <p>Other managers have set fields that you change:</p>
      <dl>
        {[...managers].map(([manager, fields]) => (
          <div key={manager}>
            <dt>{manager}</dt>
            <dd>
              <Fields fields={fields} />
            </dd>
          </div>
        ))}
      </dl>
      <label class="check">
        <input
          type="checkbox"
          checked={takesOver.value}
          onChange={(event) => {
            takesOver.value = event.currentTarget.checked;
          }}
        />
        Take these fields over
      </label>
    </div>
  );
}

function Fields({ fields }: { readonly fields: readonly string[] }) {
  return (
    <ul class="fields">
      {fields.map((field) => (
        <li key={field}>
          <code>{field}</code>
        </li>
      ))}
    </ul>
  );
}

function Difference(props: { readonly yaml: typeof YamlPart; readonly from: string; readonly to: string }) {
  const { yaml, from, to } = props;
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (place.current !== null && from !== to) return yaml.showDifference(place.current, from, to);
    return undefined;
  }, [yaml, from, to]);
  return from === to ? <p class="notice">Nothing changes.</p> : <div class="difference" ref={place} />;
}
