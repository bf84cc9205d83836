/** The minor version of Kubernetes whose error texts validation uses: some have changed over time. */
let minorOfTexts = 0;

/** Runs `work`, whose errors have the texts of that minor version of Kubernetes. */
export function withErrorTextsOf<T>(minor: number, work: () => T): T {
  const outer = minorOfTexts;
  minorOfTexts = minor;
  try {
    return work();
  } finally {
    minorOfTexts = outer;
  }
}

/** Whether errors of the running validation have the texts that Kubernetes uses since 1.`minor`. */
export function hasErrorTextsOf(minor: number): boolean {
  return minorOfTexts >= minor;
}

/** The minor version whose error texts the running validation uses. */
export function errorTextsMinor(): number {
  return minorOfTexts;
}
