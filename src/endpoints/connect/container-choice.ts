import { badRequest } from "../../apimachinery/errors/status.js";
import type { Pod } from "../../apis/gen/core-v1.js";

/** The requested container, or the only one. Throws 400 that lists the choices. */
export function chooseContainer(pod: Pod, asked: string): string {
  const { containers = [], initContainers = [], ephemeralContainers = [] } = pod.spec;
  const podName = pod.metadata.name ?? "";
  if (asked !== "") {
    const known = [...containers, ...initContainers, ...ephemeralContainers];
    if (known.some(({ name }) => name === asked)) return asked;
    throw badRequest(`container ${asked} is not valid for pod ${podName}`);
  }
  const [first, second] = containers;
  if (first !== undefined && second === undefined) return first.name;
  const must = `a container name must be specified for pod ${podName}`;
  if (first === undefined) throw badRequest(must);
  const names = [...initContainers, ...containers, ...ephemeralContainers].map(({ name }) => name);
  throw badRequest(`${must}, choose one of: [${names.join(" ")}]`);
}
