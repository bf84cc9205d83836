import { effect, untracked, useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { may } from "../../api/access.ts";
import { groupVersionOf, pathOf, type Resource } from "../../api/discovery.ts";
import { type JsonObject, textAt } from "../../api/json.ts";
import { type Schema, schemaOf } from "../../api/schema.ts";
import { draftOf, keepDraft } from "../../state/drafts.ts";
import { objectHref } from "../../state/route.ts";
import type { YamlEditor } from "../../yaml/yaml-part.ts";
import type { ObjectAt } from "./object-page.tsx";
import type { OpenedObject } from "./opened-object.ts";
import { ReviewDialog } from "./review-dialog.tsx";

/** The object as text: read, edited, and reviewed before it is applied. */
export function YamlTab(props: {
  readonly opened: OpenedObject;
  readonly resource: Resource;
  readonly at: ObjectAt;
}) {
  const { opened, resource, at } = props;
  const place = useRef<HTMLDivElement>(null);
  const editor = useSignal<YamlEditor | undefined>(undefined);
  const schema = useSignal<Schema | undefined>(undefined);
  const showsServers = useSignal(false);
  const path = pathOf(resource, at);
  const kept = draftOf(path);
  /** The edited text; undefined while it is the server's. */
  const draft = useSignal(kept?.text);
  /** The object that the draft started from. */
  const base = useSignal(kept?.base);
  /** The object that the draft describes, during a review. */
  const reviewed = useSignal<JsonObject | undefined>(undefined);
  const problem = useSignal("");
  const setDraft = (text: string | undefined): void => {
    draft.value = text;
    problem.value = "";
    keepDraft(path, text === undefined ? undefined : { text, base: base.peek() });
  };
  const isNew = at.name === "";
  const { group, plural } = resource;
  const mayWrite = may({ verb: "patch", group, plural, namespace: at.namespace, name: at.name }).value;
  const isReadOnly = mayWrite !== true || !resource.verbs.has("patch") || opened.isDeleted.value;

  useEffect(() => {
    void schemaOf(resource).then((found) => {
      schema.value = found;
    });
  }, [resource, schema]);

  useEffect(
    () =>
      effect(() => {
        const yaml = opened.yaml.value;
        const object = isNew ? skeletonOf(resource, at.namespace) : opened.object.value;
        const edited = draft.value;
        const withServers = showsServers.value;
        if (yaml === undefined || place.current === null) return;
        if (edited !== undefined && editor.peek() !== undefined) return;
        const text = edited ?? (object && yaml.printYaml(yaml.shownObject(object, withServers)));
        if (text === undefined) return;
        if (edited === undefined) base.value = isNew ? undefined : object;
        untracked(() => {
          if (editor.value !== undefined) return editor.value.setText(text);
          editor.value = yaml.openEditor({
            parent: place.current as HTMLElement,
            text,
            label: `${resource.kind} as YAML`,
            isReadOnly,
            schema: () => schema.value,
            onChange: setDraft,
          });
          return;
        });
      }),
    // Opens each object once.
    [opened],
  );
  useEffect(() => () => editor.value?.close(), [editor]);
  useEffect(() => editor.value?.setReadOnly(isReadOnly), [isReadOnly, editor.value]);

  const isStale =
    draft.value !== undefined &&
    !isNew &&
    opened.object.value !== undefined &&
    versionOf(opened.object.value) !== versionOf(base.value);
  const review = (): void => {
    const parsed = opened.yaml.value?.parseYaml(draft.value ?? "");
    if (parsed?.kind === "mistakes") problem.value = parsed.mistakes[0]?.message ?? "";
    else reviewed.value = parsed?.object;
  };
  return (
    <>
      <div class="bar">
        <button type="button" class="primary" disabled={draft.value === undefined} onClick={review}>
          Review changes
        </button>
        <button type="button" disabled={draft.value === undefined} onClick={() => setDraft(undefined)}>
          Discard
        </button>
        {mayWrite === false && <span class="soft">You may not change this object.</span>}
        <span class="space" />
        {!isNew && (
          <label class="check">
            <input
              type="checkbox"
              checked={showsServers}
              disabled={draft.value !== undefined}
              onChange={(event) => {
                showsServers.value = event.currentTarget.checked;
              }}
            />
            Fields of the server
          </label>
        )}
      </div>
      {problem.value !== "" && (
        <p class="notice bad" role="alert">
          {problem}
        </p>
      )}
      {isStale && (
        <p class="notice" role="status">
          The object has changed since you began. Your edit stays; the review shows it against the newest
          state.
        </p>
      )}
      <div class="editor" ref={place} />
      {reviewed.value !== undefined && opened.yaml.value !== undefined && (
        <ReviewDialog
          yaml={opened.yaml.value}
          resource={resource}
          base={base.value}
          newest={opened.object.value}
          edited={reviewed.value}
          schema={schema.value}
          onClose={() => {
            reviewed.value = undefined;
          }}
          onApplied={(name, namespace) => {
            reviewed.value = undefined;
            setDraft(undefined);
            if (isNew) location.replace(objectHref(resource, { namespace, name }));
          }}
        />
      )}
    </>
  );
}

function versionOf(object: JsonObject | undefined): string {
  return textAt(object, "metadata", "resourceVersion");
}

function skeletonOf(resource: Resource, namespace: string): JsonObject {
  return {
    apiVersion: groupVersionOf(resource),
    kind: resource.kind,
    metadata: { name: "", ...(resource.isNamespaced && { namespace: namespace || "default" }) },
  };
}
