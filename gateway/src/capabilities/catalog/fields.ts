import type { CatalogField, CatalogMatch } from "@fairway/contract/catalog";

interface IndexedField {
  /** As stored in `catalog_postings`. */
  readonly code: number;
  readonly field: CatalogField;
  readonly layer: CatalogMatch["layer"];
  /** Weight of a match. */
  readonly weight: number;
}

const systemFields = [
  { code: 1, field: "name", layer: "system", weight: 16 },
  { code: 2, field: "category", layer: "system", weight: 8 },
  { code: 3, field: "tag", layer: "system", weight: 8 },
  { code: 4, field: "column", layer: "system", weight: 4 },
  { code: 5, field: "description", layer: "system", weight: 2 },
  { code: 6, field: "columnDescription", layer: "system", weight: 1.6 },
] as const satisfies readonly IndexedField[];

const layerFields = [
  { code: 7, field: "description", layer: "community", weight: 2 },
  { code: 8, field: "columnDescription", layer: "community", weight: 1.6 },
  { code: 9, field: "description", layer: "private", weight: 2 },
  { code: 10, field: "columnDescription", layer: "private", weight: 1.6 },
] as const satisfies readonly IndexedField[];

/** Fields in which the catalog finds words, with the weight of a match in each. */
export const indexedFields: readonly IndexedField[] = [...systemFields, ...layerFields];

export const codesOfLayer = (layer: CatalogMatch["layer"]): number[] =>
  indexedFields.filter((one) => one.layer === layer).map(({ code }) => code);

export const codeOf = (field: CatalogField, layer: CatalogMatch["layer"]): number =>
  indexedFields.find((one) => one.field === field && one.layer === layer)?.code ?? 0;

/** Factor of a match by its kind. Exact in a lesser field stays below a part of a word in a greater one. */
export const quality = { exact: 1, wordStart: 0.8, wordPart: 0.6, typingError: 0.2, shorterWord: 0.1 } as const;
