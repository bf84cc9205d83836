import { type ReadonlySignal, useComputed, useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import type { Column, Row } from "../../api/live-table.ts";
import { ageOf, now } from "../../parts/age.ts";
import { rowHeight, VirtualRows } from "../../parts/virtual-rows.tsx";
import { cellText, isAge, type Sort, type SortKey } from "./order.ts";

export interface ObjectGridProps {
  readonly label: string;
  readonly columns: ReadonlySignal<readonly Column[]>;
  readonly rows: ReadonlySignal<readonly Row[]>;
  readonly sort: ReadonlySignal<Sort>;
  readonly onSort: (sort: Sort) => void;
  readonly showsNamespace: boolean;
  /** Also shows the columns to which the server gives a low priority. */
  readonly showsAll: boolean;
  /** The link of a row; undefined for none. */
  readonly hrefOf: (row: Row) => string | undefined;
}

interface ShownColumn {
  readonly key: SortKey;
  readonly column: Column;
}

const namespaceColumn: Column = { name: "Namespace", type: "string", description: "", priority: 0 };
/** Rows whose cells determine the widths of the columns. */
const sampled = 200;
const charactersMax = 44;
/** How long a change is marked. */
const markMs = 2500;

/** The rows of a live table: sorted by a click on a header, opened by a click or by the keys. */
export function ObjectGrid(props: ObjectGridProps) {
  const { label, columns, rows, sort, onSort, showsNamespace, showsAll, hrefOf } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const active = useSignal(-1);
  const shown: readonly ShownColumn[] = [
    ...(showsNamespace ? [{ key: "namespace" as const, column: namespaceColumn }] : []),
    ...columns.value
      .map((column, key): ShownColumn => ({ key, column }))
      .filter(({ column }) => showsAll || column.priority === 0),
  ];
  const template = useComputed(() => widthsOf(shown, rows.value));
  const count = rows.value.length;

  const moveTo = (index: number): void => {
    active.value = Math.max(0, Math.min(count - 1, index));
    const element = scroller.current;
    if (element === null) return;
    const top = active.value * rowHeight;
    const header = rowHeight;
    if (top < element.scrollTop) element.scrollTop = top;
    else if (top + rowHeight + header > element.scrollTop + element.clientHeight)
      element.scrollTop = top + rowHeight + header - element.clientHeight;
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / rowHeight) - 2);
    const moves: Readonly<Record<string, number>> = {
      ArrowDown: active.value + 1,
      ArrowUp: active.value - 1,
      PageDown: active.value + page,
      PageUp: active.value - page,
      Home: 0,
      End: count - 1,
    };
    const target = moves[event.key];
    const row = rows.value[active.value];
    if (target !== undefined) moveTo(target);
    else if (event.key === "Enter" && event.target === event.currentTarget && row !== undefined) {
      const href = hrefOf(row);
      if (href !== undefined) location.hash = href;
    } else return;
    event.preventDefault();
  };

  return (
    <div
      class="grid"
      role="grid"
      aria-label={label}
      aria-rowcount={count + 1}
      aria-colcount={shown.length}
      aria-activedescendant={active.value >= 0 && active.value < count ? `row-${active.value}` : undefined}
      tabIndex={0}
      ref={scroller}
      onKeyDown={onKeyDown}
      style={{ "--columns": template.value }}
    >
      <div class="line head" role="row" aria-rowindex={1}>
        {shown.map(({ key, column }) => (
          <div
            key={key}
            role="columnheader"
            class={isNumber(column) ? "cell number" : "cell"}
            aria-sort={
              sort.value.key === key ? (sort.value.isDescending ? "descending" : "ascending") : "none"
            }
          >
            <button
              type="button"
              tabIndex={-1}
              title={column.description}
              onClick={() =>
                onSort({ key, isDescending: sort.value.key === key && !sort.value.isDescending })
              }
            >
              {column.name}
              <span class="direction" aria-hidden="true">
                {sort.value.key === key ? (sort.value.isDescending ? "↓" : "↑") : ""}
              </span>
            </button>
          </div>
        ))}
      </div>
      <VirtualRows count={count} scroller={scroller}>
        {(index) => {
          const row = rows.value[index];
          if (row === undefined) return null;
          return (
            <Line
              key={row.uid}
              row={row}
              index={index}
              shown={shown}
              isActive={active.value === index}
              href={hrefOf(row)}
            />
          );
        }}
      </VirtualRows>
    </div>
  );
}

function Line(props: {
  readonly row: Row;
  readonly index: number;
  readonly shown: readonly ShownColumn[];
  readonly isActive: boolean;
  readonly href: string | undefined;
}) {
  const { row, index, shown, isActive, href } = props;
  const isChanged = row.changedAtMs > 0 && Date.now() - row.changedAtMs < markMs;
  const classes = ["line", isActive && "active", isChanged && "changed"].filter(Boolean).join(" ");
  return (
    <div
      class={classes}
      id={`row-${index}`}
      role="row"
      aria-rowindex={index + 2}
      aria-selected={isActive}
      onClick={(event) => {
        if (
          href !== undefined &&
          getSelection()?.isCollapsed !== false &&
          !(event.target instanceof HTMLAnchorElement)
        )
          location.hash = href;
      }}
    >
      {shown.map(({ key, column }, place) => {
        const text = textOf(row, key, column);
        return (
          <div key={key} role="gridcell" class={isNumber(column) ? "cell number" : "cell"} title={text}>
            {key === 0 && href !== undefined ? (
              <a href={href} tabIndex={-1} data-place={place}>
                {text}
              </a>
            ) : (
              <Value text={text} column={column} />
            )}
          </div>
        );
      })}
    </div>
  );
}

const good =
  /^(Active|Bound|Running|Ready|Succeeded|Complete|Completed|True|Available|Normal|Approved,Issued)$/;
const bad =
  /^(Failed|Error|Lost|NotReady|False|CrashLoopBackOff|ImagePullBackOff|ErrImagePull|Evicted|OOMKilled|Warning|Denied)$/;
const underway = /^(Pending|Terminating|ContainerCreating|Unknown|Released)$/;
const states = /^(Status|Phase|Ready|Available|Established|Synced|Type|State|Condition)$/i;

function Value({ text, column }: { readonly text: string; readonly column: Column }) {
  if (!states.test(column.name)) return text;
  const kind = good.test(text) ? "good" : bad.test(text) ? "bad" : underway.test(text) ? "underway" : "";
  return kind === "" ? text : <span class={`state ${kind}`}>{text}</span>;
}

function textOf(row: Row, key: SortKey, column: Column): string {
  if (key === "namespace") return row.namespace;
  if (isAge(column) && row.createdAtMs > 0) return ageOf(row.createdAtMs, now.value);
  return cellText(row.cells[key]);
}

function isNumber({ type }: Column): boolean {
  return type === "integer" || type === "number";
}

/** Column widths of a grid, from the contents. */
function widthsOf(shown: readonly ShownColumn[], rows: readonly Row[]): string {
  return shown
    .map(({ key, column }) => {
      let characters = column.name.length + 2;
      for (const row of rows.slice(0, sampled)) {
        const length = key === "namespace" ? row.namespace.length : cellText(row.cells[key]).length;
        if (length > characters) characters = length;
      }
      const width = Math.min(charactersMax, Math.max(6, characters)) + 2;
      return `minmax(${width}ch, ${width}fr)`;
    })
    .join(" ");
}
