import { isAbsolute } from "node:path";
import { demoPassword } from "@fairway/contract/api";
import type { Column } from "@fairway/contract/columns";
import { entityId } from "@fairway/contract/entities";
import { internalDataset } from "@fairway/contract/internal-datasets";
import { missingFilterHint } from "@fairway/contract/required-filters";
import { describe, expect, it } from "vitest";
import { demoPlatform } from "./platform.ts";

const { accounts, categories, datasets } = demoPlatform;
const datasetCases = datasets.map(({ entity, sources, select }) => ({ id: entity.id, entity, sources, select }));

const datasetOf = (category: string, id: string) => datasets.find(({ entity }) => entity.category === category && entity.id === id)?.entity;
const plainNames = (columns: readonly Column[]) => columns.filter(({ combined }) => combined === null).map(({ name }) => name);

describe.each(datasetCases)("the dataset $id", ({ entity, sources, select }) => {
  it("is a valid internal dataset", () => {
    expect(internalDataset.safeParse(entity).error?.issues).toBeUndefined();
    expect(entityId.safeParse(entity.category).success).toBe(true);
  });

  it("belongs to a category of the platform", () => {
    expect(categories.map(({ id }) => id)).toContain(entity.category);
  });

  it("has a description, and so does each of its columns", () => {
    for (const { description } of [entity, ...entity.schema.columns]) expect(description).toMatch(/^\S.{7,}[.]$/s);
  });

  it("names a title and a subtitle", () => {
    expect(plainNames(entity.schema.columns)).toEqual(expect.arrayContaining([entity.titleField, entity.subtitleField]));
  });

  it("has a unique id for each filter", () => {
    const { staticFilters, preFilledFilters, additionalFilters } = entity.filterSupport;
    const ids = [...staticFilters, ...preFilledFilters, ...additionalFilters].map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it("reads exactly the sources that it declares", () => {
    const read = [...select.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    expect(new Set(read)).toEqual(new Set(Object.keys(sources)));
    for (const path of Object.values(sources)) expect(isAbsolute(path)).toBe(true);
  });

  it("links existing columns to existing columns of other datasets", () => {
    for (const { datasetCategory, datasetId, filters } of entity.linkedDatasets) {
      const target = datasetOf(datasetCategory, datasetId);
      expect(target, `${datasetCategory}/${datasetId}`).toBeDefined();
      for (const { name, fromColumn } of filters) {
        expect(plainNames(target?.schema.columns ?? [])).toContain(name);
        expect(plainNames(entity.schema.columns)).toContain(fromColumn);
      }
    }
  });
});

describe("the datasets together", () => {
  it("have distinct ids and files", () => {
    const globs = datasets.map(({ entity }) => JSON.stringify(entity.source));
    expect(new Set(datasets.map(({ entity }) => entity.id)).size).toBe(10);
    expect(new Set(globs).size).toBe(10);
  });

  it("cover every kind of filter support", () => {
    const supports = datasets.map(({ entity }) => entity.filterSupport);
    expect(supports.some((support) => support.supportsAdvancedFiltering)).toBe(true);
    expect(supports.some((support) => !support.supportsAdvancedFiltering && support.additionalFilters.length > 0)).toBe(true);
    expect(supports.some((support) => support.requiredOrFields === null && support.staticFilters.some(({ required }) => required))).toBe(
      true,
    );
    expect(supports.some((support) => support.preFilledFilters.length > 0)).toBe(true);
    expect(supports.some((support) => missingFilterHint(support, { filters: [], timeRange: false, area: false }) === null)).toBe(true);
  });

  it("include a dataset without paging and one without a count", () => {
    const without = (feature: "PAGINATION" | "COUNT") => datasets.filter(({ entity }) => !entity.features.includes(feature));
    expect(without("PAGINATION").map(({ entity }) => entity.id)).toEqual(["country-development"]);
    expect(without("COUNT").map(({ entity }) => entity.id)).toEqual(["industry-unemployment"]);
  });

  it("never accept a locked filter as a required filter", () => {
    for (const { entity } of datasets) {
      const { requiredOrFields, preFilledFilters } = entity.filterSupport;
      for (const { name } of preFilledFilters) expect(requiredOrFields ?? []).not.toContain(name);
    }
  });
});

describe("the accounts", () => {
  it("are the four listed in the README, with the demo password", () => {
    expect(accounts.users.map(({ username }) => username)).toEqual(["admin", "editor", "developer", "viewer"]);
    expect(new Set(accounts.users.map(({ password }) => password))).toEqual(new Set([demoPassword]));
  });

  it("belong to groups of the platform, whose roles exist", () => {
    const groups = accounts.groups.map(({ name }) => name);
    for (const user of accounts.users) expect(groups).toEqual(expect.arrayContaining([...user.groups]));
    for (const group of accounts.groups) expect(accounts.roles).toEqual(expect.arrayContaining([...group.roles]));
  });

  it("have email addresses that cannot receive mail", () => {
    for (const { email } of accounts.users) expect(email).toMatch(/^[a-z]+[.][a-z]+@fairway[.]example$/);
  });
});
