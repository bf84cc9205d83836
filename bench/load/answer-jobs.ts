/** Makes this process run the jobs that its parent sends, and answer each. A job that fails ends the process. */
export function answerJobs<Job>(work: (job: Job) => Promise<object | string>): void {
  process.on("message", (job: Job) => {
    work(job).then((answer) => process.send?.(answer), endWith);
  });
}

/** The same for a single job: the process ends once its answer is sent. */
export function answerOneJob<Job>(work: (job: Job) => Promise<object>): void {
  process.once("message", (job: Job) => {
    work(job).then((answer) => process.send?.(answer, () => process.exit(0)), endWith);
  });
}

function endWith(error: unknown): void {
  console.error(error);
  process.exit(1);
}
