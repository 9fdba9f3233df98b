import { splitAtAntimeridian } from "@fairway/contract/antimeridian";
import type { DatasetDescription } from "@fairway/contract/datasets";
import type { Box } from "@fairway/contract/grid-cells";
import { z } from "zod";
import { areaFilter } from "./area-filter.ts";
import type { CellFilter, SearchFilters } from "./search-record.ts";

/** A cell as stored in the tab across reloads. */
export const storedCell = z.object({ box: z.tuple([z.number(), z.number(), z.number(), z.number()]).readonly(), text: z.string() });

/** A search can be narrowed to a box if its engine counts rows by place and its rows have one. */
export const canNarrowToCell = ({ assists, schema }: Pick<DatasetDescription, "assists" | "schema">): boolean =>
  assists.includes("GRID") && schema.columns.some(({ combined }) => combined?.type === "COORDINATES");

/** Narrows a search to a cell of the map, besides everything else, also its areas. */
export const withinCell = (filters: SearchFilters, box: Box): SearchFilters => ({ ...filters, within: cellFilter(box) });

export const withoutCell = ({ within: _within, ...filters }: SearchFilters): SearchFilters => filters;

/** The box as the area of the search, in place of its areas and its cell. */
export function withCellAsArea(filters: SearchFilters, [west, south, east, north]: Box): SearchFilters {
  const ring = [
    { lat: south, lng: west },
    { lat: south, lng: east },
    { lat: north, lng: east },
    { lat: north, lng: west },
  ];
  return { ...withoutCell(filters), geospatial: areaFilter(splitAtAntimeridian(ring)) };
}

export const cellFilter = (box: Box): CellFilter => ({ box, text: `Map cell ${boxText(box)}` });

/** The box of a filter; undefined for four numbers that are none. */
export function boxOf([west, south, east, north]: readonly [number, number, number, number]): Box | undefined {
  const furtherEast = east < west ? east + 360 : east;
  const isBox = Math.abs(west) <= 180 && furtherEast - west <= 360 && south <= north && south >= -90 && north <= 90;
  return isBox ? [west, south, furtherEast, north] : undefined;
}

/** `27.1–28.3° N, 88.6–87.2° W`, with so many digits that the edges differ. */
export function boxText([west, south, east, north]: Box): string {
  const side = Math.min(east - west, north - south);
  const digits = side > 0 ? Math.min(8, Math.max(1, Math.ceil(-Math.log10(side)) + 1)) : 4;
  const round = (value: number): number => Number(value.toFixed(digits));
  const lngs = [west, east].map((lng) => round(lng > 180 ? lng - 360 : lng));
  return `${spanText([south, north].map(round), "N", "S")}, ${spanText(lngs, "E", "W")}`;
}

function spanText([from = 0, to = 0]: readonly number[], positive: string, negative: string): string {
  const sideOf = (value: number): string => (value > 0 ? positive : value < 0 ? negative : "");
  const [first, last] = [sideOf(from), sideOf(to)];
  // The equator, the prime meridian and the antimeridian belong to both sides.
  if (first === last || first === "" || Math.abs(from) === 180) return `${Math.abs(from)}–${Math.abs(to)}°${suffix(last || first)}`;
  if (last === "" || Math.abs(to) === 180) return `${Math.abs(from)}–${Math.abs(to)}°${suffix(first)}`;
  return `${Math.abs(from)}°${suffix(first)} – ${Math.abs(to)}°${suffix(last)}`;
}

const suffix = (side: string): string => (side === "" ? "" : ` ${side}`);
