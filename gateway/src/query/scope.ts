import type { Column } from "@fairway/contract/columns";
import type { SearchQuery } from "./search-query.ts";

/** Rows that one grant of a rule shows. */
export type GrantedRows = Pick<SearchQuery, "timeRange" | "area" | "conditions">;

/** A way to make values coarse: no value, the first characters of a text, the step of a number, or the start of a time (UTC). */
export type Coarsening =
  | { readonly kind: "empty" }
  | { readonly kind: "first"; readonly characters: number }
  | { readonly kind: "step"; readonly step: number }
  | { readonly kind: "start"; readonly unit: "hour" | "day" | "month" | "year" };

/** A part of a dataset. All of it is about the columns that the source holds. */
export interface Part {
  /** Rows that satisfy at least one grant of every rule. A rule without grants shows no row. */
  readonly rules: readonly (readonly GrantedRows[])[];
  /** Columns that the rules name and nobody else does. */
  readonly hidden: readonly Pick<Column, "name" | "type" | "day">[];
  readonly coarse: ReadonlyMap<string, Coarsening>;
}

/** The key of everything. */
export const wholeKey = "whole";

/**
 * The rows and columns of a dataset that a query reads. Every dataset that an engine is given has one, and an engine that cannot apply it
 * throws. The architecture test names who may make them.
 */
export class Scope {
  static readonly whole = new Scope(wholeKey, null);

  /** Equal scopes have equal keys. Whatever is kept of rows is kept by it; it never leaves the gateway. */
  readonly key: string;
  /** Null for everything. */
  readonly part: Part | null;
  /** Why nothing can be read; null if something can. Shown to the reader, so that it names nothing of the rules. */
  readonly problem: string | null;
  /** Keeps the compiler from taking any other object for a scope. */
  declare private readonly isMade: true;

  private constructor(key: string, part: Part | null, problem: string | null = null) {
    this.key = key;
    this.part = part;
    this.problem = problem;
  }

  static of(key: string, part: Part): Scope {
    return new Scope(key, part);
  }

  /** Of a dataset whose part cannot be told: every query of it fails. */
  static unreadable(problem: string): Scope {
    return new Scope("unreadable", { rules: [[]], hidden: [], coarse: new Map() }, problem);
  }

  toJSON(): string {
    return this.key;
  }
}
