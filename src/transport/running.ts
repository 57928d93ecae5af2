/** Work that has begun and is not over. */
import * as Effect from "effect/Effect";

/** Something that runs, and can be told to stop. */
export interface Job {
  readonly stop: () => void;
}

/** The jobs that run at the moment. */
export class Running {
  readonly #jobs = new Set<Job>();
  #waiting: Array<() => void> = [];

  /** A job has begun. */
  add(job: Job): void {
    this.#jobs.add(job);
  }

  /** A job is over. */
  delete(job: Job): void {
    this.#jobs.delete(job);
    if (this.#jobs.size > 0 || this.#waiting.length === 0) return;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resume of waiting) resume();
  }

  /** Tells all jobs to stop. */
  stop(): void {
    for (const job of [...this.#jobs]) job.stop();
  }

  /** Waits until there are none. */
  readonly none: Effect.Effect<void> = Effect.callback((resume) => {
    if (this.#jobs.size === 0) resume(Effect.void);
    else this.#waiting.push(() => resume(Effect.void));
  });
}
