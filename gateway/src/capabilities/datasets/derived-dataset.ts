import type { Column } from "@fairway/contract/columns";
import type { DatasetRef } from "@fairway/contract/datasets";
import { type ComputedColumn, type Lookup, derivedColumnLimits } from "@fairway/contract/derived-columns";
import type { ErrorItem } from "@fairway/contract/errors";
import { missingDatasetText } from "@fairway/contract/own-datasets";
import { check } from "@fairway/expressions/check";
import { columnsOfStep, inputsOfStep, plainColumnOf } from "#query/derived-columns.ts";
import { type DatasetSource, type DerivedStep, EngineFailed, type QueryableDataset } from "#query/engine.ts";
import { type OtherDataset, keyProblem, lookupProblem } from "#query/lookup-rules.ts";
import type { DerivedProblem } from "./dataset.ts";

/** Undefined for one that the reader may not know of. */
export type FindOther = (ref: DatasetRef) => OtherDataset | undefined;

/** Adds derived columns one after another to those that are there. */
export class DerivedColumns {
  readonly problems: DerivedProblem[] = [];
  readonly steps: DerivedStep[];
  /** The new ones, by name. */
  readonly made = new Map<string, Column>();
  readonly #source: DatasetSource;
  readonly #known: Map<string, Column>;
  readonly #taken: Set<string>;
  readonly #depths = new Map<string, number>();

  /** `columns`: of the dataset, also combined ones. `steps`: how some of them are made. */
  constructor(source: DatasetSource, columns: readonly Column[], steps: readonly DerivedStep[] = []) {
    this.#source = source;
    this.#known = new Map(columns.flatMap((column) => (column.combined === null ? [[column.name, column]] : [])));
    this.#taken = new Set(columns.map(({ name }) => name.toLowerCase()));
    this.steps = [...steps];
    for (const step of steps) this.#measure(step);
  }

  /** Lookups as soon as their keys are there, and computed columns in their order. */
  add(
    {
      computed,
      lookups,
    }: { readonly computed: readonly (ComputedColumn & { readonly path: string })[]; readonly lookups: readonly Lookup[] },
    find: FindOther,
  ): void {
    const waiting = new Map(lookups.entries());
    const addLookups = (isLast: boolean) => {
      for (const [index, lookup] of waiting) {
        if (!isLast && !lookup.key.every(({ column }) => this.#known.has(column))) continue;
        waiting.delete(index);
        this.#lookUp(lookup, `lookups.${index}`, find);
      }
    };
    for (const column of computed) {
      addLookups(false);
      this.#compute(column);
    }
    addLookups(true);
  }

  #compute({ name, expression, unit, label, path, ...about }: ComputedColumn & { readonly path: string }): void {
    const namePath = path.replace(/\.expression$/, ".name");
    if (!this.#take(name, namePath)) return;
    const columns = [...this.#known.values()].map((column) => ({ name: column.name, type: column.type, day: column.day }));
    const { tree, result, errors } = check(expression, columns);
    if (errors !== undefined) {
      for (const { message, from, to } of errors) this.problems.push({ code: "invalid-value", message, path, at: { from, to } });
      return;
    }
    const column: Column = {
      description: "",
      combined: null,
      ...about,
      name,
      type: result.type,
      ...(result.day ? { day: true } : {}),
      ...(unit === undefined ? {} : { unit }),
      ...(label === undefined ? {} : { label }),
    };
    const step: DerivedStep = { kind: "computed", column: plainColumnOf(column), expression: tree };
    const depth = this.#measure(step);
    if (depth > derivedColumnLimits.computedDepth) {
      const message = `'${name}' is the ${depth}th of columns that are computed one from another; there can be ${derivedColumnLimits.computedDepth}.`;
      this.problems.push({ code: "invalid-value", message, path });
      return;
    }
    this.#keep(step, [column]);
  }

  #lookUp({ dataset: ref, match = "exact", key, columns }: Lookup, path: string, find: FindOther): void {
    const other = find(ref);
    const refuse = (code: ErrorItem["code"], message: string, at: string) =>
      void this.problems.push({ code, message, path: `${path}.${at}` });
    if (other === undefined) {
      return refuse("invalid-value", missingDatasetText(ref.datasetCategory), "dataset");
    }
    const id = ref.datasetId;
    const unfit = lookupProblem(this.#source, { ...other, id });
    if (unfit !== undefined) return refuse(unfit.code, unfit.message, "dataset");
    const theirs = new Map(other.columns.flatMap((column) => (column.combined === null ? [[column.name, column] as const] : [])));
    const before = this.problems.length;
    for (const [index, pair] of key.entries()) {
      const [ours, on] = [this.#known.get(pair.column), theirs.get(pair.on)];
      if (ours === undefined) refuse("unknown-column", `There is no column '${pair.column}'.`, `key.${index}.column`);
      if (on === undefined) refuse("unknown-column", `'${id}' has no column '${pair.on}'.`, `key.${index}.on`);
      const problem = ours && on && keyProblem(ours, on);
      if (problem !== undefined) refuse("invalid-value", problem, `key.${index}`);
    }
    const found = columns.flatMap(({ from, name }, index) => {
      const column = theirs.get(from);
      if (column === undefined) refuse("unknown-column", `'${id}' has no column '${from}'.`, `columns.${index}.from`);
      if (!this.#take(name, `${path}.columns.${index}.name`) || column === undefined) return [];
      const { computed: _, ...shown } = column;
      return [{ from, column: { ...shown, name } }];
    });
    if (this.problems.length > before) return;
    const made = found.map(({ from, column }) => ({ from, column: plainColumnOf(column) }));
    const dataset = queryableOrProblem(other);
    if (typeof dataset === "string") return refuse("not-supported", dataset, "dataset");
    const step: DerivedStep = { kind: "lookup", dataset, match, key, columns: made };
    this.#measure(step);
    this.#keep(
      step,
      found.map(({ column }) => column),
    );
  }

  #take(name: string, path: string): boolean {
    const isFree = !this.#taken.has(name.toLowerCase());
    if (!isFree) this.problems.push({ code: "invalid-value", message: `There is another column '${name}'.`, path });
    this.#taken.add(name.toLowerCase());
    return isFree;
  }

  #keep(step: DerivedStep, columns: readonly Column[]): void {
    this.steps.push(step);
    for (const column of columns) {
      this.#known.set(column.name, column);
      this.made.set(column.name, column);
    }
  }

  /** How many computed columns lie one on another. */
  #measure(step: DerivedStep): number {
    const below = Math.max(0, ...inputsOfStep(step).map((name) => this.#depths.get(name) ?? 0));
    const depth = step.kind === "computed" ? below + 1 : below;
    for (const { name } of columnsOfStep(step)) this.#depths.set(name, depth);
    return depth;
  }
}

/** Its own filters may not fit its columns any more. */
function queryableOrProblem(other: OtherDataset): QueryableDataset | string {
  try {
    return other.queryable();
  } catch (error) {
    if (error instanceof EngineFailed) return error.message;
    throw error;
  }
}
