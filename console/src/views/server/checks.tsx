import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { ApiError, getText, messageOf } from "../../api/request.ts";

interface Check {
  readonly name: string;
  readonly isGood: boolean;
}

const periodMs = 5000;

/** Whether the server is ready, and which of its checks fail. */
export function Checks() {
  const checks = useSignal<readonly Check[] | undefined>(undefined);
  const problem = useSignal("");
  useEffect(() => {
    const ask = async (): Promise<void> => {
      try {
        checks.value = readChecks(await getText("/readyz?verbose", { accept: "*/*" }));
        problem.value = "";
      } catch (error) {
        const found = error instanceof ApiError ? readChecks(error.text) : [];
        if (found.length > 0) checks.value = found;
        problem.value = found.length > 0 ? "" : messageOf(error);
      }
    };
    void ask();
    const timer = setInterval(() => void ask(), periodMs);
    return () => clearInterval(timer);
  }, [checks, problem]);
  if (problem.value !== "") return <p class="notice bad">{problem}</p>;
  const all = checks.value;
  if (all === undefined) return null;
  const failed = all.filter(({ isGood }) => !isGood);
  return (
    <details class="checks">
      <summary>
        <span class={failed.length === 0 ? "state good" : "state bad"}>
          {failed.length === 0 ? "Ready" : `Not ready: ${failed.map(({ name }) => name).join(", ")}`}
        </span>{" "}
        <span class="soft">{all.length} checks</span>
      </summary>
      <ul>
        {all.map(({ name, isGood }) => (
          <li key={name} class={isGood ? "state good" : "state bad"}>
            {isGood ? "✓" : "✗"} <span>{name}</span>
          </li>
        ))}
      </ul>
    </details>
  );
}

/** Lines such as `[+]ping ok` and `[-]log failed: reason withheld`. */
function readChecks(text: string): readonly Check[] {
  return [...text.matchAll(/^\[([+-])\](\S+)/gm)].map(([, sign, name = ""]) => ({
    name,
    isGood: sign === "+",
  }));
}
