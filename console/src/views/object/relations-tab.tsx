import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { Resource } from "../../api/discovery.ts";
import { type JsonObject, listAt, textAt } from "../../api/json.ts";
import { type Relative, relativesOf } from "../../api/relations.ts";
import { isAborted, messageOf } from "../../api/request.ts";
import { objectHref } from "../../state/route.ts";
import { layOut } from "./graph-layout.ts";

const box = { width: 210, height: 44, gapX: 46, gapY: 12 };
/** A graph of more objects is unreadable. */
const shownMax = 300;

/** Owners to the left, dependents to the right. */
export function RelationsTab({
  object,
  resource,
}: {
  readonly object: JsonObject;
  readonly resource: Resource;
}) {
  const uid = textAt(object, "metadata", "uid");
  const namespace = textAt(object, "metadata", "namespace");
  const owners = JSON.stringify(
    listAt(object, "metadata", "ownerReferences").map((each) => textAt(each, "uid")),
  );
  const relatives = useSignal<readonly Relative[] | undefined>(undefined);
  const problem = useSignal("");
  const asked = useSignal(0);
  // Searched again when owners change, or on request.
  useEffect(() => {
    const ending = new AbortController();
    relativesOf(uid, namespace, ending.signal).then(
      (found) => {
        relatives.value = found;
        problem.value = "";
      },
      (error: unknown) => {
        if (!isAborted(error)) problem.value = messageOf(error);
      },
    );
    return () => ending.abort();
  }, [uid, namespace, owners, asked.value]);
  if (problem.value !== "") return <p class="notice bad">{problem}</p>;
  const found = relatives.value;
  if (found === undefined) return <p class="soft">Looking through the namespace…</p>;
  return (
    <>
      <div class="bar">
        <span class="soft" role="status">
          {found.length <= 1
            ? `This ${resource.kind} has no owners and no dependents.`
            : `${found.length - 1} owners and dependents`}
        </span>
        <span class="space" />
        <button
          type="button"
          onClick={() => {
            asked.value++;
          }}
        >
          Look again
        </button>
      </div>
      {found.length > 1 && <Graph relatives={found.slice(0, shownMax)} self={uid} />}
      {found.length > shownMax && <p class="soft">Only the first {shownMax} are drawn.</p>}
    </>
  );
}

function Graph({ relatives, self }: { readonly relatives: readonly Relative[]; readonly self: string }) {
  const places = layOut(relatives);
  const xOf = (column: number): number => column * (box.width + box.gapX) + 2;
  const yOf = (row: number): number => row * (box.height + box.gapY) + 2;
  const columns = Math.max(...[...places.values()].map(({ column }) => column)) + 1;
  const rows = Math.max(...[...places.values()].map(({ row }) => row)) + 1;
  return (
    <div class="graph">
      <svg width={xOf(columns) - box.gapX + 2} height={yOf(rows) - box.gapY + 2}>
        <title>Owners and dependents</title>
        {relatives.flatMap((each) =>
          each.owners.map((owner) => {
            const from = places.get(owner.uid);
            const to = places.get(each.uid);
            if (from === undefined || to === undefined) return null;
            const x1 = xOf(from.column) + box.width;
            const y1 = yOf(from.row) + box.height / 2;
            const x2 = xOf(to.column);
            const y2 = yOf(to.row) + box.height / 2;
            const bend = (x1 + x2) / 2;
            return (
              <path
                key={`${owner.uid} ${each.uid}`}
                class="edge"
                d={`M${x1} ${y1} C${bend} ${y1} ${bend} ${y2} ${x2} ${y2}`}
              />
            );
          }),
        )}
        {relatives.map((each) => {
          const place = places.get(each.uid);
          return place === undefined ? null : (
            <Box
              key={each.uid}
              relative={each}
              isSelf={each.uid === self}
              x={xOf(place.column)}
              y={yOf(place.row)}
            />
          );
        })}
      </svg>
    </div>
  );
}

function Box(props: {
  readonly relative: Relative;
  readonly isSelf: boolean;
  readonly x: number;
  readonly y: number;
}) {
  const { relative, isSelf, x, y } = props;
  const classes = ["box", isSelf && "self", relative.isMissing && "missing"].filter(Boolean).join(" ");
  const content = (
    <>
      <title>{`${relative.kind} ${relative.name}${relative.isMissing ? " (not there)" : ""}`}</title>
      <rect x={x} y={y} width={box.width} height={box.height} rx={5} />
      <text class="kind" x={x + 10} y={y + 17}>
        {relative.kind}
        {relative.isMissing ? " (not there)" : ""}
      </text>
      <text x={x + 10} y={y + 34}>
        {shortened(relative.name)}
      </text>
    </>
  );
  if (relative.resource === undefined) return <g class={classes}>{content}</g>;
  return (
    <a class={classes} href={`${objectHref(relative.resource, relative)}?tab=relations`}>
      {content}
    </a>
  );
}

const charactersMax = 28;

/** Shortens the middle: the ends distinguish generated names. */
function shortened(name: string): string {
  return name.length <= charactersMax ? name : `${name.slice(0, charactersMax - 12)}…${name.slice(-11)}`;
}
