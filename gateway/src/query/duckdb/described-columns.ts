import type { ColumnType } from "@fairway/contract/columns";
import type { QueryableDataset } from "#query/engine.ts";
import { type MatchedColumns, matchColumns } from "#query/sql/described-columns.ts";
import { sql } from "kysely";
import { isNested, storageOf } from "./column-types.ts";
import type { SourceMetadata } from "./source-metadata.ts";
import { readAs } from "./text/text-columns.ts";

const words = { has: "its data files have", contains: "its data files contain" };

/** The described columns as the files store them. */
export const matchFiles = (
  described: QueryableDataset["columns"],
  { columns, finite, narrow, texts, derived, unreadable }: SourceMetadata,
): MatchedColumns =>
  matchColumns(
    described,
    ({ name, type }) => {
      const typeText = columns.get(name) ?? derived.get(name)?.duckType ?? unreadableType(type, unreadable.get(name));
      if (typeText === undefined) return undefined;
      const text = texts.get(name);
      if (text !== undefined) return { typeText, storage: readAs(type, sql.id(name), text).storage };
      if (type === "STRING" && isNested(typeText)) return { typeText, storage: { kind: "text" } };
      const stored = storageOf(typeText, finite.has(name));
      return {
        typeText,
        storage: typeText === "BIGINT" && stored.kind === "integer" && narrow.has(name) ? { ...stored, narrow: true } : stored,
      };
    },
    words,
  );

/** Of a column that cannot be read and is empty therefore. */
const unreadableType = (type: ColumnType, stored: string | undefined): string | undefined =>
  stored === undefined ? undefined : type === "STRING" ? "VARCHAR" : "DOUBLE";
