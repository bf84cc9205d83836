import { type Signal, useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { resources } from "../../api/discovery.ts";
import {
  changeClock,
  fork,
  type LabItem,
  labClock,
  labItems,
  remove,
  rewind,
  serverNow,
  takeSnapshot,
} from "../../api/lab.ts";
import { messageOf } from "../../api/request.ts";
import { now } from "../../parts/age.ts";
import { listHref } from "../../state/route.ts";
import { isSimulated } from "../../state/session.ts";
import { FaultsSection } from "./faults-section.tsx";
import { type Act, Field } from "./parts.tsx";
import { SimulationSection } from "./simulation-section.tsx";

/** The lab of a server for tests: its clock, snapshots to return to, and forks. */
export function LabPage() {
  const snapshots = useSignal<readonly LabItem[]>([]);
  const forks = useSignal<readonly LabItem[]>([]);
  const said = useSignal("");
  const problem = useSignal("");
  const refresh = async (): Promise<void> => {
    if (labClock.value === undefined) return;
    [snapshots.value, forks.value] = await Promise.all([labItems("snapshots"), labItems("forks")]);
  };
  /** Runs the action of a button, and shows how it ended. */
  const act = (work: () => Promise<string>): void => {
    said.value = "";
    problem.value = "";
    work()
      .then(async (text) => {
        await refresh();
        said.value = text;
      })
      .catch((error: unknown) => {
        problem.value = messageOf(error);
      });
  };
  // Read once when the page opens.
  const hasClock = labClock.value !== undefined;
  useEffect(() => {
    if (hasClock) act(async () => "");
  }, [hasClock]);
  if (!hasClock && !isSimulated())
    return (
      <div class="page">
        <p class="notice">This server has no lab (--lab), or you may not use it.</p>
      </div>
    );
  return (
    <div class="page lab">
      <div class="bar">
        <h1>Lab</h1>
        <span class="soft" role="status">
          {said}
        </span>
      </div>
      {problem.value !== "" && (
        <p class="notice bad" role="alert">
          {problem}
        </p>
      )}
      {hasClock && (
        <>
          <Clock act={act} />
          <Snapshots items={snapshots} act={act} />
          <Forks items={forks} snapshots={snapshots} act={act} />
          <FaultsSection act={act} />
          <Kinds />
        </>
      )}
      {isSimulated() && <SimulationSection act={act} />}
    </div>
  );
}

const steps = ["1m", "10m", "1h", "24h"];

function Clock({ act }: { readonly act: Act }) {
  const by = useSignal("");
  const isFrozen = labClock.value?.isFrozen === true;
  const advance = (step: string): void =>
    act(async () => {
      await changeClock({ by: step });
      return `The clock is ${step} further.`;
    });
  // Updates as often as the ages do.
  void now.value;
  return (
    <section>
      <h2>Clock</h2>
      <div class="bar">
        <b class="time">{new Date(serverNow()).toISOString().replace("T", " ").slice(0, 19)} UTC</b>
        {isFrozen && <span class="state underway">frozen</span>}
        {steps.map((step) => (
          <button key={step} type="button" onClick={() => advance(step)}>
            +{step}
          </button>
        ))}
        <form
          class="row"
          onSubmit={(event) => {
            event.preventDefault();
            advance(by.value);
          }}
        >
          <Field label="Advance by" hint="1h30m" value={by} />
          <button type="submit" disabled={by.value === ""}>
            Advance
          </button>
        </form>
        <button
          type="button"
          onClick={() =>
            act(async () => {
              await changeClock(isFrozen ? "resume" : "freeze");
              return isFrozen ? "The clock goes on." : "The clock stands still.";
            })
          }
        >
          {isFrozen ? "Let it go on" : "Freeze"}
        </button>
      </div>
    </section>
  );
}

function Snapshots({ items, act }: { readonly items: Signal<readonly LabItem[]>; readonly act: Act }) {
  const name = useSignal("");
  return (
    <section>
      <h2>Snapshots</h2>
      <form
        class="bar"
        onSubmit={(event) => {
          event.preventDefault();
          act(async () => {
            await takeSnapshot(name.value.trim());
            name.value = "";
            return "A snapshot is taken.";
          });
        }}
      >
        <Field label="Name of the snapshot" hint="name (or none)" value={name} />
        <button type="submit">Take a snapshot</button>
      </form>
      <ul class="items">
        {items.value.map((item) => (
          <li key={item.name} class="bar">
            <b>{item.name}</b>
            <span class="soft">{item.about}</span>
            <span class="space" />
            <button
              type="button"
              aria-label={`Rewind to ${item.name}`}
              onClick={() => act(async () => `Back at ${item.name}: ${describe(await rewind(item.name))}.`)}
            >
              Rewind
            </button>
            <button
              type="button"
              aria-label={`Forget ${item.name}`}
              onClick={() =>
                act(async () => {
                  await remove("snapshots", item.name);
                  return `${item.name} is forgotten.`;
                })
              }
            >
              Forget
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Forks(props: {
  readonly items: Signal<readonly LabItem[]>;
  readonly snapshots: Signal<readonly LabItem[]>;
  readonly act: Act;
}) {
  const { items, snapshots, act } = props;
  const from = useSignal("");
  return (
    <section>
      <h2>Forks</h2>
      <div class="bar">
        <select
          aria-label="Begin from"
          value={from}
          onChange={(event) => {
            from.value = event.currentTarget.value;
          }}
        >
          <option value="">from now</option>
          {snapshots.value.map(({ name }) => (
            <option key={name} value={name}>
              from {name}
            </option>
          ))}
        </select>
        <button
          type="button"
          onClick={() =>
            act(async () => {
              await fork(from.value);
              return "A fork has begun.";
            })
          }
        >
          Fork
        </button>
      </div>
      <ul class="items">
        {items.value.map((item) => (
          <li key={item.name} class="bar">
            <b>{item.name}</b>
            <code>{item.about}</code>
            <span class="space" />
            <button
              type="button"
              aria-label={`End ${item.name}`}
              onClick={() =>
                act(async () => {
                  await remove("forks", item.name);
                  return `${item.name} has ended.`;
                })
              }
            >
              End
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The resources that the lab stores as objects. */
function Kinds() {
  const own = resources.value.filter(({ group, verbs }) => /^lab\./.test(group) && verbs.has("list"));
  return (
    <section>
      <h2>Objects</h2>
      <div class="bar">
        {own.map((resource) => (
          <a key={`${resource.group}/${resource.plural}`} class="button" href={listHref(resource)}>
            {resource.plural}
          </a>
        ))}
      </div>
    </section>
  );
}

/** Prints the fields of a flat response: `created: 2, updated: 0`. */
function describe(answer: unknown): string {
  if (typeof answer !== "object" || answer === null) return "done";
  return Object.entries(answer)
    .filter(([, value]) => typeof value === "number")
    .map(([name, value]) => `${name} ${value}`)
    .join(", ");
}
