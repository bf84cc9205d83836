/** Callbacks that are called once. Most requests have none, and need no list. */
export type Listeners = (() => void)[] | undefined;

/** `listeners` and one more. */
export function withListener(listeners: Listeners, added: () => void): (() => void)[] {
  if (listeners === undefined) return [added];
  listeners.push(added);
  return listeners;
}

/** Reset before calling, because a callback may add another. */
export function callListeners(listeners: Listeners): void {
  if (listeners !== undefined) for (const each of listeners) each();
}
