import { useSignal } from "@preact/signals";
import { may } from "../../api/access.ts";
import type { Resource } from "../../api/discovery.ts";
import type { LiveTable, Row } from "../../api/live-table.ts";
import { addNode, addPod, setNodeState, setPodBehaviour } from "../../api/simulation.ts";
import { useLiveTable } from "../../parts/use-live-table.ts";
import { objectHref } from "../../state/route.ts";
import { cellText, chosenRows } from "../list/order.ts";
import { type Act, Field } from "./parts.tsx";

/** A state that the user can give to an object. */
interface Fate {
  readonly button: string;
  /** Shown when the change is done, after the object's name. */
  readonly said: string;
  readonly bring: (row: Row) => Promise<void>;
}

const nodeFates: readonly Fate[] = [
  { button: "Come back", said: "is back", bring: ({ name }) => setNodeState(name, "ready") },
  { button: "Not ready", said: "is not ready", bring: ({ name }) => setNodeState(name, "not-ready") },
  {
    button: "Go away",
    said: "is gone, which is noticed after 40 seconds",
    bring: ({ name }) => setNodeState(name, "gone"),
  },
];

const podFates: readonly Fate[] = [
  { button: "Run", said: "runs on", bring: (row) => setPodBehaviour(row, "running") },
  { button: "Crash", said: "ends with 1, each time", bring: (row) => setPodBehaviour(row, "crashing") },
  {
    button: "Fail probe",
    said: "fails its readiness probe",
    bring: (row) => setPodBehaviour(row, "unready"),
  },
  { button: "End", said: "ends with 0", bring: (row) => setPodBehaviour(row, "ending") },
];

/** Nodes and pods of the simulated cluster, with buttons for the states that they can be given. */
export function SimulationSection({ act }: { readonly act: Act }) {
  const nodes = useLiveTable("/api/v1/nodes").value;
  const pods = useLiveTable("/api/v1/pods").value;
  const sought = useSignal("");
  const add = async (): Promise<string> => {
    const name = freeName(nodes?.rows.value ?? []);
    await addNode(name);
    return `${name} is there.`;
  };
  if (nodes === undefined || pods === undefined) return null;
  return (
    <section>
      <h2>Simulated nodes and pods</h2>
      <div class="bar">
        {may({ verb: "create", plural: "nodes" }).value === true && (
          <button type="button" onClick={() => act(add)}>
            Add a node
          </button>
        )}
        {may({ verb: "create", plural: "pods", namespace: "default" }).value === true && (
          <button type="button" onClick={() => act(() => addPod("default").then(() => "A pod is there."))}>
            Add a pod
          </button>
        )}
        <Field label="Find a node or a pod" hint="Find a node or a pod" value={sought} />
      </div>
      <Fates table={nodes} plural="nodes" words={sought.value} fates={nodeFates} act={act} />
      <Fates table={pods} plural="pods" words={sought.value} fates={podFates} act={act} />
    </section>
  );
}

/** Others must be searched by name. */
const shownMax = 20;

function Fates(props: {
  readonly table: LiveTable;
  readonly plural: "nodes" | "pods";
  readonly words: string;
  readonly fates: readonly Fate[];
  readonly act: Act;
}) {
  const { table, plural, words, fates, act } = props;
  const resource: Pick<Resource, "group" | "plural"> = { group: "", plural };
  const columns = table.columns.value;
  const rows = chosenRows(table.rows.value, columns, words, { key: 0, isDescending: false });
  const cellOf = (row: Row, name: string): string =>
    cellText(row.cells[columns.findIndex((column) => column.name === name)]);
  const mayChange = may({ verb: "patch", plural }).value === true;
  return (
    <>
      <ul class="items" aria-label={plural}>
        {rows.slice(0, shownMax).map((row) => (
          <li key={row.uid} class="bar">
            <a href={objectHref(resource, row)}>{row.name}</a>
            {row.namespace !== "" && <span class="soft">in {row.namespace}</span>}
            <span>{[cellOf(row, "Ready"), cellOf(row, "Status")].join(" ")}</span>
            {cellOf(row, "Node") !== "" && <span class="soft">on {cellOf(row, "Node")}</span>}
            <span class="space" />
            {mayChange &&
              fates.map(({ button, said, bring }) => (
                <button
                  key={button}
                  type="button"
                  aria-label={`${button}: ${row.name}`}
                  onClick={() => act(() => bring(row).then(() => `${row.name} ${said}.`))}
                >
                  {button}
                </button>
              ))}
          </li>
        ))}
      </ul>
      {rows.length > shownMax && (
        <p class="soft">
          {rows.length - shownMax} more {plural}
        </p>
      )}
    </>
  );
}

/** The next free name: `node-3` after `node-0` to `node-2`. */
function freeName(rows: readonly Row[]): string {
  const taken = new Set(rows.map(({ name }) => name));
  let number = 0;
  while (taken.has(`node-${number}`)) number++;
  return `node-${number}`;
}
