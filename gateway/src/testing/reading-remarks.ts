import type { ReadFile } from "../query/duckdb/reading-bench.ts";

export const sentenceOf = ({ columns }: ReadFile, name: string) => columns.get(name)?.sentence ?? "";

export const ways = ({ columns }: ReadFile, name: string) =>
  columns.get(name)?.also.map(({ type, format, unreadable }) => [type, format, unreadable]) ?? [];
