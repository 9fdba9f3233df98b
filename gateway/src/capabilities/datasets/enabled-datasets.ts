import { passesAnyRole } from "@fairway/contract/access";
import type { AccessList } from "@fairway/contract/datasets";
import { compareNames } from "@fairway/contract/name-order";
import { cacheSerialized } from "#http/serialized-cache.ts";
import type { Dataset } from "./dataset.ts";

export interface Category {
  readonly id: string;
  readonly description: string;
}

/** A snapshot of the enabled datasets, with cached access lists. */
export class EnabledDatasets {
  readonly #datasets: readonly Dataset[];
  readonly #byName: readonly Dataset[];
  readonly #categories: readonly Category[];
  readonly #descriptions: ReadonlyMap<string, string>;
  /** By the caller's roles. */
  readonly #accessLists = new Map<string, AccessList>();

  /** Of datasets with the same category and id, the first wins. `categories` are listed first; `others` only have descriptions. */
  constructor(datasets: readonly Dataset[], categories: readonly Category[], others: readonly Category[]) {
    this.#datasets = firstOfEach(datasets);
    this.#byName = this.#datasets.toSorted(byName);
    this.#categories = categories;
    this.#descriptions = new Map([...others, ...categories].map(({ id, description }) => [id, description]));
  }

  /** Undefined if it does not exist or these roles may not use it. */
  find(roles: readonly string[], category: string, id: string): Dataset | undefined {
    const dataset = this.#datasets.find((candidate) => candidate.category === category && candidate.id === id);
    return dataset !== undefined && passesAnyRole(roles, dataset.roles) ? dataset : undefined;
  }

  has(category: string, id: string): boolean {
    return this.#datasets.some((dataset) => dataset.category === category && dataset.id === id);
  }

  /** Each category with the datasets these roles may use, without empty categories. */
  accessible(roles: readonly string[]): AccessList {
    const key = JSON.stringify(roles);
    const list = this.#accessLists.get(key) ?? cacheSerialized(this.#accessList(roles));
    this.#accessLists.set(key, list);
    return list;
  }

  describeCategory(id: string): string {
    return this.#descriptions.get(id) ?? "";
  }

  /** Sorted once, because the catalog reads them while its user types. */
  readableByName(roles: readonly string[]): Dataset[] {
    return this.#byName.filter((dataset) => passesAnyRole(roles, dataset.roles));
  }

  /** Whoever may use them. */
  get all(): readonly Dataset[] {
    return this.#datasets;
  }

  /** Whoever may use them. */
  get internal(): readonly Dataset[] {
    return this.#datasets.filter(({ source }) => source.kind !== "rest");
  }

  #accessList(roles: readonly string[]): AccessList {
    const readable = this.#datasets.filter((dataset) => passesAnyRole(roles, dataset.roles));
    const categoryIds = [...new Set(readable.map(({ category }) => category))].toSorted(listedFirst(this.#categories.map(({ id }) => id)));
    return categoryIds.map((id) => ({
      id,
      description: this.describeCategory(id),
      datasets: readable
        .filter(({ category }) => category === id)
        .map((dataset) => ({
          datasetCategory: id,
          datasetId: dataset.id,
          description: dataset.description,
          supportsMapResults: dataset.mapSupport !== null,
        })),
    }));
  }
}

const byName = (one: Dataset, other: Dataset): number => compareNames(one.id, other.id) || (one.category < other.category ? -1 : 1);

function firstOfEach(datasets: readonly Dataset[]): Dataset[] {
  const seen = new Set<string>();
  return datasets.filter(({ category, id }) => {
    const key = JSON.stringify([category, id]);
    const isFirst = !seen.has(key);
    seen.add(key);
    return isFirst;
  });
}

/** Compares ids: listed ones first, in order, then the others by name. */
const listedFirst =
  (listed: readonly string[]) =>
  (a: string, b: string): number => {
    const [aIndex, bIndex] = [a, b].map((id) => (listed.includes(id) ? listed.indexOf(id) : listed.length)) as [number, number];
    return aIndex - bIndex || (a < b ? -1 : 1);
  };
