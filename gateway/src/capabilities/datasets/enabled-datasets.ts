import { passesAnyRole } from "@fairway/contract/access";
import { columnTypeCode } from "@fairway/contract/columns";
import type { AccessList, DatasetSchema } from "@fairway/contract/datasets";
import { cacheSerialized } from "#http/serialized-cache.ts";
import type { Dataset } from "./dataset.ts";

export interface Category {
  readonly id: string;
  readonly description: string;
}

/** The datasets that are enabled at one moment, and what is asked of them again and again. */
export class EnabledDatasets {
  readonly #datasets: readonly Dataset[];
  readonly #categories: readonly Category[];
  readonly #descriptions: ReadonlyMap<string, string>;
  /** By the roles of who asked. */
  readonly #accessLists = new Map<string, AccessList>();

  /** Of datasets with one category and id the first is there. `categories` are listed first; `others` are described, too. */
  constructor(datasets: readonly Dataset[], categories: readonly Category[], others: readonly Category[]) {
    this.#datasets = firstOfEach(datasets);
    this.#categories = categories;
    this.#descriptions = new Map([...others, ...categories].map(({ id, description }) => [id, description]));
  }

  /** Undefined also where these roles may not know of it. */
  find(roles: readonly string[], category: string, id: string): Dataset | undefined {
    const dataset = this.#datasets.find((one) => one.category === category && one.id === id);
    return dataset !== undefined && passesAnyRole(roles, dataset.roles) ? dataset : undefined;
  }

  /** Each category with the datasets that these roles reach; categories without any are left out. */
  accessible(roles: readonly string[]): AccessList {
    const key = JSON.stringify(roles);
    const list = this.#accessLists.get(key) ?? cacheSerialized(this.#accessList(roles));
    this.#accessLists.set(key, list);
    return list;
  }

  describeCategory(id: string): string {
    return this.#descriptions.get(id) ?? "";
  }

  #accessList(roles: readonly string[]): AccessList {
    const mine = this.#datasets.filter((dataset) => passesAnyRole(roles, dataset.roles));
    const found = [...new Set(mine.map(({ category }) => category))].toSorted(byPlaceIn(this.#categories.map(({ id }) => id)));
    return found.map((id) => ({
      id,
      description: this.describeCategory(id),
      datasets: mine
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

function firstOfEach(datasets: readonly Dataset[]): Dataset[] {
  const known = new Set<string>();
  return datasets.filter(({ category, id }) => {
    const key = JSON.stringify([category, id]);
    const isFirst = !known.has(key);
    known.add(key);
    return isFirst;
  });
}

/** What the schema's route answers. Made once for each dataset that is remembered. */
export function schemaOf(dataset: Dataset): DatasetSchema {
  const made = schemas.get(dataset) ?? cacheSerialized(makeSchema(dataset));
  schemas.set(dataset, made);
  return made;
}

const schemas = new WeakMap<Dataset, DatasetSchema>();

function makeSchema(dataset: Dataset): DatasetSchema {
  return {
    dataset: { datasetCategory: dataset.category, datasetId: dataset.id },
    description: dataset.description,
    communityDescription: "",
    userDescription: "",
    containsLocationData: dataset.locationField !== null || dataset.schema.columns.some(({ combined }) => combined?.type === "COORDINATES"),
    supportsMapResults: dataset.mapSupport !== null,
    columns: dataset.schema.columns.map((column) => ({
      id: column.name,
      name: column.name,
      type: columnTypeCode[column.type],
      description: column.description,
      communityDescription: "",
      userDescription: "",
    })),
  };
}

/** Listed ones first, in their order, then the others by name. */
const byPlaceIn =
  (listed: readonly string[]) =>
  (a: string, b: string): number => {
    const [at, bt] = [a, b].map((id) => (listed.includes(id) ? listed.indexOf(id) : listed.length)) as [number, number];
    return at - bt || (a < b ? -1 : 1);
  };
