/** The minor version of Kubernetes in whose words errors are reported: some messages have changed over time. */
let wordsOf = 0;

/** Runs `work`, whose errors use the words of that minor version of Kubernetes. */
export function inWordsOf<T>(minor: number, work: () => T): T {
  const outer = wordsOf;
  wordsOf = minor;
  try {
    return work();
  } finally {
    wordsOf = outer;
  }
}

/** Whether errors of the running validation use the words that Kubernetes has since 1.`minor`. */
export function hasWordsOf(minor: number): boolean {
  return wordsOf >= minor;
}

/** The minor version whose words the running validation uses. */
export function currentWords(): number {
  return wordsOf;
}
