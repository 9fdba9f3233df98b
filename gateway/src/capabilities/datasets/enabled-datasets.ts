import { passesAnyRole } from "@fairway/contract/access";
import type { AccessList } from "@fairway/contract/datasets";
import { compareNames } from "@fairway/contract/name-order";
import { cacheSerialized } from "#http/serialized-cache.ts";
import { mayDo } from "#sharing/access.ts";
import type { SignedInUser } from "#http/signed-in-user.ts";
import type { Dataset } from "./dataset.ts";
import type { DatasetViews, FindDataset } from "./dataset-view.ts";
import { OwnIndex, ownListing, type ReadableOwn } from "./own-index.ts";

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
  readonly #byKey: ReadonlyMap<string, Dataset>;
  readonly #own: OwnIndex;
  readonly #views: DatasetViews;
  /** By the caller's roles and readable own datasets. */
  readonly #accessLists = new Map<string, AccessList>();

  /** Of datasets with the same category and id, the first wins. `categories` are listed first; `others` only have descriptions. */
  constructor(datasets: readonly Dataset[], categories: readonly Category[], others: readonly Category[], views: DatasetViews) {
    this.#views = views;
    this.#byKey = firstOfEach(datasets);
    this.#datasets = [...this.#byKey.values()];
    this.#byName = this.#datasets.filter(({ own }) => own === null).toSorted(byName);
    this.#own = new OwnIndex(this.#datasets);
    this.#categories = categories;
    this.#descriptions = new Map([...others, ...categories].map(({ id, description }) => [id, description]));
  }

  /** Undefined if it does not exist or this reader may not use it. */
  find(reader: SignedInUser, category: string, id: string): Dataset | undefined {
    const dataset = this.#byKey.get(keyOf({ category, id }));
    return dataset !== undefined && mayRead(dataset, reader) ? dataset : undefined;
  }

  /** Whether there is such a dataset of administrators. */
  has(category: string, id: string): boolean {
    return this.#byKey.get(keyOf({ category, id }))?.own === null;
  }

  /** Whoever may use it. */
  any(category: string, id: string): Dataset | undefined {
    return this.#byKey.get(keyOf({ category, id }));
  }

  /** Each category with the datasets this reader may use, without empty categories: own ones first, then those that others share. */
  accessible(reader: SignedInUser): AccessList {
    const own = this.#own.readable(reader);
    // Marks of own datasets are the same for all who may do the same with them.
    const key = JSON.stringify([reader.roles, own.map(({ dataset, can }) => [dataset.category, dataset.id, can])]);
    const list = this.#accessLists.get(key) ?? cacheSerialized([...this.#ownCategories(own, reader), ...this.#accessList(reader)]);
    this.#accessLists.set(key, list);
    return list;
  }

  describeCategory(id: string): string {
    return this.#descriptions.get(id) ?? "";
  }

  /** Sorted once, because the catalog reads them while its user types. */
  readableByName(reader: SignedInUser): Dataset[] {
    const administered = this.#byName.filter((dataset) => passesAnyRole(reader.roles, dataset.roles));
    const own = this.#own.readable(reader);
    return own.length === 0 ? administered : [...administered, ...own.map(({ dataset }) => dataset)].sort(byName);
  }

  /** Whoever may use them. */
  get all(): readonly Dataset[] {
    return this.#datasets;
  }

  /** Those whose rows the portal's engines read, whoever may use them. */
  get stored(): readonly Dataset[] {
    return this.#datasets.filter(({ source }) => source.kind !== "rest");
  }

  #accessList(reader: SignedInUser): AccessList {
    const readable = this.#datasets.filter((dataset) => dataset.own === null && passesAnyRole(reader.roles, dataset.roles));
    const categoryIds = [...new Set(readable.map(({ category }) => category))].toSorted(listedFirst(this.#categories.map(({ id }) => id)));
    return categoryIds.map((id) => ({
      id,
      description: this.describeCategory(id),
      datasets: readable.filter(({ category }) => category === id).map((dataset) => this.#listed(dataset, reader)),
    }));
  }

  /** The categories of own datasets: the reader's own first, then by name. */
  #ownCategories(readable: readonly ReadableOwn[], reader: SignedInUser): AccessList {
    const categories = new Map<string, ReadableOwn[]>();
    for (const one of readable) categories.set(one.dataset.category, [...(categories.get(one.dataset.category) ?? []), one]);
    const isOwn = (list: readonly ReadableOwn[]) => list.some(({ can }) => can === "own");
    return [...categories]
      .toSorted(([one, ofOne], [other, ofOther]) => Number(isOwn(ofOther)) - Number(isOwn(ofOne)) || (one < other ? -1 : 1))
      .map(([id, list]) => ({
        id,
        description: "",
        datasets: list
          .toSorted((one, other) => byName(one.dataset, other.dataset))
          .map(({ dataset, own, can }) => Object.assign(this.#listed(dataset, reader), { own: ownListing(own, can) })),
      }));
  }

  #listed(dataset: Dataset, reader: SignedInUser) {
    // Which columns readers have depends on their roles alone.
    const find: FindDataset = ({ datasetCategory, datasetId }) => this.find(reader, datasetCategory, datasetId);
    const { category, id, description, mapSupport } = this.#views.of(dataset, { reader, find });
    return { datasetCategory: category, datasetId: id, description, supportsMapResults: mapSupport !== null };
  }
}

function mayRead({ own, roles }: Dataset, reader: SignedInUser): boolean {
  return own === null ? passesAnyRole(reader.roles, roles) : mayDo(own, reader) !== undefined;
}

const byName = (one: Dataset, other: Dataset): number => compareNames(one.id, other.id) || (one.category < other.category ? -1 : 1);

const keyOf = ({ category, id }: Pick<Dataset, "category" | "id">): string => JSON.stringify([category, id]);

function firstOfEach(datasets: readonly Dataset[]): Map<string, Dataset> {
  const first = new Map<string, Dataset>();
  for (const dataset of datasets) if (!first.has(keyOf(dataset))) first.set(keyOf(dataset), dataset);
  return first;
}

/** Compares ids: listed ones first, in order, then the others by name. */
const listedFirst =
  (listed: readonly string[]) =>
  (a: string, b: string): number => {
    const [aIndex, bIndex] = [a, b].map((id) => (listed.includes(id) ? listed.indexOf(id) : listed.length)) as [number, number];
    return aIndex - bIndex || (a < b ? -1 : 1);
  };
