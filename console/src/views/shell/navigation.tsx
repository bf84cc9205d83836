import { useComputed, useSignal } from "@preact/signals";
import { may } from "../../api/access.ts";
import { discoveryProblem, keyOf, type Resource, resources } from "../../api/discovery.ts";
import { labClock } from "../../api/lab.ts";
import { namespace } from "../../state/namespace.ts";
import { listHref, route } from "../../state/route.ts";
import { isSimulated } from "../../state/session.ts";
import { sectionsOf } from "./sections.ts";

/** Every resource that the user may list, by purpose. */
export function Navigation() {
  const sought = useSignal("");
  const sections = useComputed(() => {
    const words = sought.value.trim().toLowerCase();
    const found = resources.value.filter((each) => isSought(each, words) && isShown(each));
    return sectionsOf(found);
  });
  const page = route.value.page;
  return (
    <>
      <ul class="places">
        <li>
          <a href="#/" aria-current={page === "overview" ? "page" : undefined}>
            Overview
          </a>
        </li>
        {may({ verb: "get", path: "/metrics" }).value !== false && (
          <li>
            <a href="#/server" aria-current={page === "server" ? "page" : undefined}>
              Server
            </a>
          </li>
        )}
        {(labClock.value !== undefined || isSimulated()) && (
          <li>
            <a href="#/lab" aria-current={page === "lab" ? "page" : undefined}>
              Lab
            </a>
          </li>
        )}
      </ul>
      <input
        type="search"
        class="find"
        placeholder="Find a resource"
        aria-label="Find a resource"
        value={sought}
        onInput={(event) => {
          sought.value = event.currentTarget.value;
        }}
      />
      {discoveryProblem.value !== "" && <p class="notice bad">{discoveryProblem}</p>}
      {sections.value.map(({ title, resources: members }) => (
        <section key={title}>
          <h2>{title}</h2>
          <ul>
            {members.map((each) => (
              <Entry key={keyOf(each)} resource={each} />
            ))}
          </ul>
        </section>
      ))}
    </>
  );
}

function Entry({ resource }: { readonly resource: Resource }) {
  const at = route.value;
  const isCurrent =
    (at.page === "list" || at.page === "object") &&
    at.group === resource.group &&
    at.plural === resource.plural;
  const isTwice = resources.value.some(
    (other) => other.plural === resource.plural && other.group !== resource.group,
  );
  return (
    <li>
      <a
        href={listHref(resource, resource.isNamespaced ? namespace.value : "")}
        title={keyOf(resource)}
        aria-current={isCurrent ? "page" : undefined}
      >
        {resource.plural}
        {isTwice && resource.group !== "" && <small>{resource.group.split(".")[0]}</small>}
      </a>
    </li>
  );
}

function isSought({ plural, kind, group, shortNames }: Resource, words: string): boolean {
  return (
    words === "" || [plural, kind, group, ...shortNames].some((text) => text.toLowerCase().includes(words))
  );
}

function isShown({ group, plural, isNamespaced, verbs }: Resource): boolean {
  if (!verbs.has("list")) return false;
  const everywhere = may({ verb: "list", group, plural }).value;
  if (everywhere !== false) return true;
  return (
    isNamespaced &&
    namespace.value !== "" &&
    may({ verb: "list", group, plural, namespace: namespace.value }).value === true
  );
}
