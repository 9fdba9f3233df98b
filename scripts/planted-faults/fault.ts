/** A mistake that a person could make, and the tests that have to notice it. */
export interface Fault {
  /** What is wrong then, in a sentence without its full stop. */
  readonly name: string;
  /** From the root of the repository. */
  readonly file: string;
  /** Occurs exactly once in the file. */
  readonly from: string;
  readonly to: string;
  /** Test files of Vitest, or journeys where only a browser and a gateway together can notice. */
  readonly tests: readonly string[];
}
