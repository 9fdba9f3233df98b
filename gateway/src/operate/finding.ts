/**
 * - `fine`: checked and as it should be
 * - `note`: worth knowing; nothing has to be done
 * - `warning`: works, but not well, or not for long
 * - `problem`: something does not work
 */
export type Level = "fine" | "note" | "warning" | "problem";

/** One result of the doctor, in plain sentences without secrets. */
export interface Finding {
  /** Subject of the check, such as `database`. */
  readonly check: string;
  readonly level: Level;
  readonly what: string;
  /** Why it matters. */
  readonly why?: string;
  /** Recommended action. */
  readonly todo?: string;
}

export interface Advice {
  readonly why: string;
  readonly todo: string;
}

/** Collects the findings of one check. */
export class Findings {
  readonly all: Finding[] = [];
  readonly #check: string;

  constructor(check: string) {
    this.#check = check;
  }

  fine(what: string): void {
    this.all.push({ check: this.#check, level: "fine", what });
  }

  note(what: string, why?: string): void {
    this.all.push({ check: this.#check, level: "note", what, ...(why !== undefined && { why }) });
  }

  warning(what: string, advice: Advice): void {
    this.all.push({ check: this.#check, level: "warning", what, ...advice });
  }

  problem(what: string, advice: Advice): void {
    this.all.push({ check: this.#check, level: "problem", what, ...advice });
  }
}
