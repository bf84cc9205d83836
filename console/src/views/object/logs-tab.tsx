import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { type JsonObject, listAt, textAt } from "../../api/json.ts";
import { isAborted, linesOf, messageOf, send } from "../../api/request.ts";

const linesMax = 5000;
/** A longer line is broken into several. */
const charactersMax = 10_000;
const showMs = 150;

/** The log of a container, followed live. */
export function LogsTab({ pod, path }: { readonly pod: JsonObject; readonly path: string }) {
  const containers = ["initContainers", "containers", "ephemeralContainers"]
    .flatMap((list) => listAt(pod, "spec", list))
    .map((each) => textAt(each, "name"));
  const first = textAt(pod, "spec", "containers", 0, "name");
  const container = useSignal(first);
  const isPrevious = useSignal(false);
  const text = useSignal("");
  const problem = useSignal("");
  const place = useRef<HTMLPreElement>(null);
  useEffect(() => {
    const ending = new AbortController();
    text.value = "";
    problem.value = "";
    void follow(
      `${path}/log?${new URLSearchParams({
        container: container.value,
        tailLines: "1000",
        ...(isPrevious.value ? { previous: "true" } : { follow: "true" }),
      })}`,
      ending.signal,
      (shown) => {
        const element = place.current;
        const isAtEnd =
          element === null || element.scrollTop + element.clientHeight > element.scrollHeight - 40;
        text.value = shown;
        if (isAtEnd) requestAnimationFrame(() => element?.scrollTo(0, element.scrollHeight));
      },
    ).catch((error: unknown) => {
      if (!isAborted(error)) problem.value = messageOf(error);
    });
    return () => ending.abort();
  }, [path, container.value, isPrevious.value, text, problem, container, isPrevious]);
  return (
    <>
      <div class="bar">
        <select
          aria-label="Container"
          value={container}
          onChange={(event) => {
            container.value = event.currentTarget.value;
          }}
        >
          {containers.map((name) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </select>
        <label class="check">
          <input
            type="checkbox"
            checked={isPrevious}
            onChange={(event) => {
              isPrevious.value = event.currentTarget.checked;
            }}
          />
          Of its previous run
        </label>
      </div>
      {problem.value !== "" && (
        <p class="notice bad" role="alert">
          {problem}
        </p>
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also by keys */}
      <pre class="log" role="log" ref={place} tabIndex={0} aria-label={`Log of ${container.value}`}>
        {text}
      </pre>
    </>
  );
}

async function follow(path: string, signal: AbortSignal, show: (text: string) => void): Promise<void> {
  const answer = await send(path, { accept: "*/*", signal });
  const lines: string[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  const showNow = (): void => {
    timer = undefined;
    if (!signal.aborted) show(lines.join("\n"));
  };
  for await (const line of linesOf(answer, charactersMax)) {
    lines.push(line);
    if (lines.length > linesMax) lines.splice(0, lines.length - linesMax);
    timer ??= setTimeout(showNow, showMs);
  }
  clearTimeout(timer);
  showNow();
}
