import type { CatalogHit } from "@fairway/contract/catalog";

export interface Found {
  readonly total: number;
  readonly hits: readonly CatalogHit[];
}
