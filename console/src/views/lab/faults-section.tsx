import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { beginStorm, endStorm, type Faults, labFaults, stormNames } from "../../api/lab.ts";
import type { Act } from "./parts.tsx";
import { Field } from "./parts.tsx";

const periodMs = 2000;

/** Storms of faults, and how often each rule has matched a request. */
export function FaultsSection({ act }: { readonly act: Act }) {
  const faults = useSignal<Faults | undefined>(undefined);
  const userAgent = useSignal("");
  const asked = useSignal(0);
  // Reloaded when a storm begins or ends.
  useEffect(() => {
    const ask = (): void => {
      labFaults().then(
        (found) => {
          faults.value = found;
        },
        // A storm may also fail the requests of this page.
        () => undefined,
      );
    };
    ask();
    const timer = setInterval(ask, periodMs);
    return () => clearInterval(timer);
  }, [asked.value]);
  const found = faults.value;
  if (found === undefined) return null;
  return (
    <section>
      <h2>Faults</h2>
      <div class="bar">
        <Field label="Whom storms meet" hint="user agents, manager/*" value={userAgent} />
        {stormNames.map((name) => {
          const isOn = found.storms.includes(name);
          return (
            <button
              key={name}
              type="button"
              aria-pressed={isOn}
              class={isOn ? "primary" : ""}
              onClick={() =>
                act(async () => {
                  await (isOn ? endStorm(name) : beginStorm(name, userAgent.value.trim()));
                  asked.value++;
                  return isOn ? `The storm ${name} is over.` : `The storm ${name} has begun.`;
                })
              }
            >
              {name}
            </button>
          );
        })}
        <span class="soft">Without a user agent, storms meet this page, too.</span>
      </div>
      <ul class="items">
        {found.rules.map(({ name, hits }) => (
          <li key={name} class="bar">
            <b>{name}</b>
            <span class="soft">{hits === 1 ? "1 hit" : `${hits} hits`}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
