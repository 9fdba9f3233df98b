import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { expect, it } from "vitest";
import { checkout } from "../lib/checkout.mjs";

const { load } = createRequire(new URL("../../gateway/package.json", import.meta.url))("js-yaml") as { load: (text: string) => unknown };

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: unknown;
}

/** Paths of values that the schema does not know. Helm refuses to install a chart with such defaults. */
const unknownValues = (values: unknown, schema: Schema, path = ""): string[] =>
  typeof values !== "object" || values === null || Array.isArray(values) || schema.additionalProperties !== false
    ? []
    : Object.entries(values).flatMap(([name, value]) => {
        const property = schema.properties?.[name];
        return property === undefined ? [`${path}/${name}`] : unknownValues(value, property, `${path}/${name}`);
      });

it("the Helm chart's schema knows all of its values", async () => {
  const chart = join(checkout, "deploy/helm/fairway");
  const values = load(await readFile(join(chart, "values.yaml"), "utf8"));
  const schema = JSON.parse(await readFile(join(chart, "values.schema.json"), "utf8")) as Schema;
  expect(schema.additionalProperties).toBe(false);
  expect(unknownValues(values, schema)).toEqual([]);
  expect(unknownValues({ home: { place: "" }, more: 1 }, schema)).toEqual(["/home/place", "/more"]);
});
