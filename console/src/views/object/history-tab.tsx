import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { may } from "../../api/access.ts";
import { type FieldChange, historyOf, type ObjectVersion, undoTo } from "../../api/history.ts";
import { textAt } from "../../api/json.ts";
import { isAborted, messageOf } from "../../api/request.ts";
import { ageOf, now } from "../../parts/age.ts";
import { Dialog } from "../../parts/dialog.tsx";
import type { OpenedObject } from "./opened-object.ts";

/** Further versions, and further changes of one version, are shown on request. */
const shownAtFirst = { versions: 50, changes: 8 };

/** The versions of the object, the newest first, with a button that restores each. */
export function HistoryTab({ opened, path }: { readonly opened: OpenedObject; readonly path: string }) {
  const versions = useSignal<readonly ObjectVersion[]>([]);
  const problem = useSignal("");
  const chosen = useSignal<ObjectVersion | undefined>(undefined);
  const showsAll = useSignal(false);
  const version = textAt(opened.object.value, "metadata", "resourceVersion");
  const isDeleted = opened.isDeleted.value;
  // Reloaded after each change of the object.
  useEffect(() => {
    const ending = new AbortController();
    historyOf(path, ending.signal).then(
      (found) => {
        versions.value = found;
        problem.value = "";
      },
      (error: unknown) => {
        if (!isAborted(error)) problem.value = messageOf(error);
      },
    );
    return () => ending.abort();
  }, [path, version, isDeleted, versions, problem]);
  const choose = (each: ObjectVersion | undefined): void => {
    chosen.value = each;
  };
  const mayUndo = may({ verb: "post", path: historyPath }).value === true;
  const all = versions.value;
  const shown = showsAll.value ? all : all.slice(0, shownAtFirst.versions);
  return (
    <div class="scrolled">
      {problem.value !== "" && (
        <p class="notice bad" role="alert">
          {problem}
        </p>
      )}
      <ol class="versions" aria-label="Versions, the newest first">
        {shown.map((each, index) => (
          <Version
            key={each.version}
            version={each}
            isNewest={index === 0}
            onUndo={mayUndo ? () => choose(each) : undefined}
          />
        ))}
      </ol>
      {shown.length < all.length && (
        <button
          type="button"
          onClick={() => {
            showsAll.value = true;
          }}
        >
          {all.length - shown.length} older versions
        </button>
      )}
      {chosen.value !== undefined && (
        <UndoDialog path={path} version={chosen.value} onClose={() => choose(undefined)} />
      )}
    </div>
  );
}

/** The path of the history, for users who may read it. */
export const historyPath = "/lab/history";

function Version(props: {
  readonly version: ObjectVersion;
  readonly isNewest: boolean;
  readonly onUndo: (() => void) | undefined;
}) {
  const { isNewest, onUndo } = props;
  const { version, type, managers, time, changes } = props.version;
  const first = changes.slice(0, shownAtFirst.changes);
  const others = changes.slice(shownAtFirst.changes);
  return (
    <li>
      <div class="bar">
        <b>{version}</b>
        <span class={type === "deleted" ? "state bad" : ""}>{type}</span>
        {managers.length > 0 && <span>by {managers.join(", ")}</span>}
        {time !== "" && (
          <span class="soft" title={time}>
            {ageOf(Date.parse(time), now.value)} ago
          </span>
        )}
        <span class="space" />
        {isNewest && <span class="soft">newest</span>}
        {!isNewest && type !== "deleted" && onUndo !== undefined && (
          <button type="button" aria-label={`Go back to version ${version}`} onClick={onUndo}>
            Go back
          </button>
        )}
      </div>
      <Changes changes={first} />
      {others.length > 0 && (
        <details>
          <summary>{others.length} more changes</summary>
          <Changes changes={others} />
        </details>
      )}
    </li>
  );
}

function Changes({ changes }: { readonly changes: readonly FieldChange[] }) {
  if (changes.length === 0) return null;
  return (
    <dl class="changes">
      {changes.map(({ path, before, after }) => (
        <div key={path}>
          <dt>{path}</dt>
          <dd>
            {before !== undefined && <del>{before}</del>} {after !== undefined && <ins>{after}</ins>}
          </dd>
        </div>
      ))}
    </dl>
  );
}

function UndoDialog(props: {
  readonly path: string;
  readonly version: ObjectVersion;
  readonly onClose: () => void;
}) {
  const { path, version, onClose } = props;
  const problem = useSignal("");
  const undo = async (): Promise<void> => {
    try {
      await undoTo(path, version.version);
      onClose();
    } catch (error) {
      problem.value = messageOf(error);
    }
  };
  return (
    <Dialog title={`Go back to version ${version.version}?`} onClose={onClose}>
      <p>
        The object is written as it was then, status included, and later changes are lost. Admission is not
        asked.
      </p>
      {problem.value !== "" && (
        <p class="notice bad" role="alert">
          {problem}
        </p>
      )}
      <div class="row end">
        <button type="button" onClick={onClose}>
          Leave it
        </button>
        <button type="button" class="danger primary" onClick={() => void undo()}>
          Go back
        </button>
      </div>
    </Dialog>
  );
}
