import type { LiveChange, LiveReporter } from "#database/live-changes.ts";

/** Keeps what a capability reports for open tabs. */
export class ReportedChanges implements LiveReporter {
  readonly all: LiveChange[] = [];

  report(change: LiveChange): void {
    this.all.push(change);
  }

  /** Changes reported since the last call. */
  take(): LiveChange[] {
    return this.all.splice(0);
  }
}
