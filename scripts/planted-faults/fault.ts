/** A plausible mistake and the tests that have to catch it. */
export interface Fault {
  /** The resulting misbehavior, as a sentence without a full stop. */
  readonly name: string;
  /** Relative to the repository root. */
  readonly file: string;
  /** Occurs exactly once in the file. */
  readonly from: string;
  readonly to: string;
  /** Vitest files, or journeys if catching it takes browser and gateway together. */
  readonly tests: readonly string[];
}
