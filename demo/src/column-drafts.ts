import type { Column, ColumnType } from "@fairway/contract/columns";

const plain =
  (type: ColumnType) =>
  (name: string, description: string, unit?: string): Column => ({
    name,
    type,
    description,
    combined: null,
    ...(unit === undefined ? {} : { unit }),
  });

export const text = plain("STRING");
export const truth = plain("BOOLEAN");
export const integer = plain("integer");
export const decimal = plain("decimal");
export const seconds = plain("TIMESTAMP_SECONDS");
export const millis = plain("TIMESTAMP_MILLS");

export const coordinates = (name: string, fields: readonly [latitude: string, longitude: string], description: string): Column => ({
  name,
  type: "STRING",
  description,
  combined: { type: "COORDINATES", fields: [...fields], joinedBy: ", " },
});

export const filesetFile = (name: string, fields: readonly [filesetId: string, path: string], description: string): Column => ({
  name,
  type: "STRING",
  description,
  combined: { type: "FILESET", fields: [...fields], joinedBy: "/" },
});
