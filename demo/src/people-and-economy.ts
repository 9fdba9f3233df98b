import { decimal, integer, millis, text } from "./column-drafts.ts";
import { vegaFile } from "./data-files.ts";
import type { DatasetRecipe } from "@fairway/contract/recipes";
import { type DemoCategory, datasetRecipe, publicDomain } from "./dataset-recipe.ts";

export const peopleAndEconomy: DemoCategory = {
  id: "People & economy",
  description: "How people live and work: countries over half a century, industries over one decade.",
  folder: "people-and-economy",
};

const industryUnemployment = datasetRecipe(peopleAndEconomy, {
  id: "industry-unemployment",
  description:
    "People without work in the United States by the industry they last worked in, month by month from January 2000 to February 2010. " +
    "From the Bureau of Labor Statistics, not adjusted for the season.",
  owner: "US Bureau of Labor Statistics",
  origin: { text: "Table A-31", link: "https://www.bls.gov/web/empsit/cpseea31.htm" },
  license: publicDomain,
  updateRhythm: "never",
  tags: ["employment", "industries"],
  columns: [
    text("industry", "One of 14: eleven private industries, agriculture, government and the self-employed."),
    millis("month", "The month, as midnight of its first day in UTC."),
    integer("year", "Year of the month."),
    integer("month_of_year", "Number of the month in its year, 1 to 12: groups by season."),
    integer("unemployed", "People without work.", "thousand"),
    decimal("rate", "The unemployed as a share of the industry's labor force.", "%"),
  ],
  sources: { unemployment: vegaFile("unemployment-across-industries.json") },
  // The file's own date is the first day of the month at 8:00 UTC, which is midnight in California, so it is not used.
  select: `
    select
      json ->> '$.series' as industry,
      make_timestamp(cast(json ->> '$.year' as bigint), cast(json ->> '$.month' as bigint), 1, 0, 0, 0) as month,
      cast(json ->> '$.year' as integer) as year,
      cast(json ->> '$.month' as integer) as month_of_year,
      cast(json ->> '$.count' as integer) as unemployed,
      cast(json ->> '$.rate' as double) as rate
    from read_json_objects({unemployment}, format = 'array')
    order by month desc, industry`,
  features: ["SAMPLE", "PAGINATION"],
  temporalField: "month",
  orderBy: [
    { column: "month", direction: "desc" },
    { column: "industry", direction: "asc" },
  ],
  titleField: "industry",
  subtitleField: "year",
  faMapIcon: "industry",
  filters: {
    staticFilters: [{ name: "industry", display: "Industry", description: "Such as Construction or Finance." }],
    additionalFilters: [
      { name: "year", display: "Year", description: "2000 to 2010." },
      { name: "month_of_year", display: "Month of the year", description: "1 to 12." },
      { name: "rate", operator: ">=", display: "Rate at least", description: "In percent." },
      { name: "rate", operator: "<=", display: "Rate at most", description: "In percent." },
      { name: "unemployed", operator: ">=", display: "Unemployed at least", description: "In thousands of people." },
    ],
  },
});

const countryDevelopment = datasetRecipe(peopleAndEconomy, {
  id: "country-development",
  description:
    "Population, life expectancy and births per woman in 62 countries, every five years from 1955 to 2005. Free data from Gapminder " +
    "(gapminder.org), CC BY 4.0, with its regions written out.",
  owner: "Gapminder",
  origin: { text: "Free data from Gapminder", link: "https://www.gapminder.org" },
  license: { text: "CC BY 4.0", link: "https://creativecommons.org/licenses/by/4.0/" },
  updateRhythm: "never",
  tags: ["countries", "population", "health"],
  columns: [
    text("country", "The country within its present borders, also for earlier years."),
    text("region", "One of Gapminder's six regions of the world."),
    integer("year", "Every fifth year from 1955 to 2005."),
    integer("population", "People living in the country."),
    decimal("life_expectancy", "How long a newborn would live if nothing changed after that year.", "years"),
    decimal("fertility", "Children per woman."),
  ],
  sources: { gapminder: vegaFile("gapminder.json") },
  select: `
    select
      json ->> '$.country' as country,
      case cast(json ->> '$.cluster' as integer)
        when 0 then 'South Asia'
        when 1 then 'Europe and Central Asia'
        when 2 then 'Sub-Saharan Africa'
        when 3 then 'America'
        when 4 then 'East Asia and Pacific'
        when 5 then 'Middle East and North Africa'
      end as region,
      cast(json ->> '$.year' as integer) as year,
      cast(json ->> '$.pop' as bigint) as population,
      cast(json ->> '$.life_expect' as double) as life_expectancy,
      cast(json ->> '$.fertility' as double) as fertility
    from read_json_objects({gapminder}, format = 'array')
    order by country, year`,
  features: ["SAMPLE", "COUNT"],
  orderBy: [
    { column: "country", direction: "asc" },
    { column: "year", direction: "asc" },
  ],
  titleField: "country",
  subtitleField: "year",
  faMapIcon: "earth-americas",
  filters: {
    staticFilters: [
      { name: "country", display: "Country", description: "Its English name, such as Brazil." },
      { name: "region", display: "Region", description: "Such as South Asia or Sub-Saharan Africa." },
    ],
    additionalFilters: [
      { name: "year", display: "Year", description: "Every fifth year from 1955 to 2005." },
      { name: "year", operator: ">=", display: "Year from", description: "1955 or later." },
      { name: "year", operator: "<=", display: "Year to", description: "2005 or earlier." },
      { name: "population", operator: ">=", display: "Population at least", description: "People living in the country." },
      { name: "life_expectancy", operator: ">=", display: "Life expectancy at least", description: "In years." },
      { name: "fertility", operator: ">=", display: "Births per woman at least", description: "Two keep a population about stable." },
    ],
  },
});

export const peopleAndEconomyDatasets: readonly DatasetRecipe[] = [industryUnemployment, countryDevelopment];
