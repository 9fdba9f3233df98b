import { coordinates, decimal, filesetFile, integer, millis, seconds, text, truth } from "./column-drafts.ts";
import { demoFile, vegaFile } from "./data-files.ts";
import type { DatasetRecipe } from "@fairway/contract/recipes";
import { type DemoCategory, datasetRecipe, publicDomain } from "./dataset-recipe.ts";

export const tropicalWeather: DemoCategory = {
  id: "Tropical weather",
  description:
    "Storms of the North Atlantic since 1975, position by position, and the everyday weather of two cities to compare them with.",
  folder: "tropical-weather",
};

export const stormTracks = datasetRecipe(tropicalWeather, {
  id: "storm-tracks",
  description:
    "Where 511 tropical storms of the North Atlantic were, mostly every six hours, and how strong: 11,840 positions from 1975 to 2020, " +
    "from NOAA's best-track record HURDAT2. Files: storm-archive.",
  owner: "US National Hurricane Center",
  origin: { text: "HURDAT2, as selected by the R package dplyr", link: "https://www.nhc.noaa.gov/data/#hurdat" },
  license: publicDomain,
  updateRhythm: "never",
  tags: ["storms", "weather", "history"],
  columns: [
    text("storm_id", "The season and the storm's place in it by first position, such as 2005-06. Ours, not the official storm number."),
    text("name", "The storm's name, such as Katrina. Storms that never got one carry a number instead."),
    integer("season", "Year of the season; a storm that lasts into January belongs to the season it began in."),
    seconds("time", "When the storm was there, in UTC. Gaps of several days are real: the storm was too weak to be recorded."),
    decimal("latitude", "Degrees north of the storm's center.", "°"),
    decimal("longitude", "Degrees east of the storm's center; negative is west.", "°"),
    coordinates("position", ["latitude", "longitude"], "The storm's center."),
    text("status", "Tropical depression, tropical storm or hurricane."),
    integer("category", "Strength: −1 tropical depression, 0 tropical storm, 1 to 5 hurricane by the Saffir–Simpson scale."),
    truth("major", "Whether it was a major hurricane at that time: category 3 or more."),
    integer("wind", "Highest sustained wind over one minute.", "kt"),
    integer("pressure", "Air pressure at the storm's center; the lower, the stronger the storm.", "mb"),
    integer("storm_force_diameter", "Across the area with winds of at least 34 kt. Recorded since 2004.", "nmi"),
    integer("hurricane_force_diameter", "Across the area with winds of at least 64 kt. Recorded since 2004.", "nmi"),
    text("fileset", "The fileset with the storm's file."),
    text("track_path", "The path of the storm's file in that fileset."),
    filesetFile("track file", ["fileset", "track_path"], "The whole track of this storm as a CSV file."),
  ],
  sources: { storms: demoFile("storms.parquet") },
  select: `
    with fixes as (select * exclude (storm_id) from read_parquet({storms})),
    storms as (select name, season, min(time) as first_time from fixes group by name, season),
    numbered as (
      select name, season, season || '-' || lpad(cast(row_number() over (partition by season order by first_time, name) as varchar), 2, '0') as storm_id
      from storms
    )
    select
      storm_id, name, season, time, lat as latitude, lng as longitude, status, category, category >= 3 as major,
      wind_kt as wind, pressure_mb as pressure, tropicalstorm_force_diameter as storm_force_diameter, hurricane_force_diameter,
      'storm-archive' as fileset, 'by-storm/' || storm_id || '-' || name || '.csv' as track_path
    from fixes join numbered using (name, season)
    order by time desc, storm_id`,
  temporalField: "time",
  locationField: "position",
  orderBy: [
    { column: "time", direction: "desc" },
    { column: "storm_id", direction: "asc" },
  ],
  mapSupport: { groupItemField: "storm_id", itemLocationField: "position", itemTemporalField: "time" },
  titleField: "name",
  subtitleField: "status",
  faMapIcon: "hurricane",
  filters: {
    supportsAdvancedFiltering: true,
    requiredOrFields: ["storm_id", "name"],
    staticFilters: [
      { name: "name", display: "Storm name", description: "As it was announced, such as Katrina; names return every few years." },
      { name: "storm_id", display: "Storm id", description: "One storm of one season, such as 2005-06." },
      { name: "wind", operator: ">=", display: "Wind at least", description: "In knots; a hurricane begins at 64." },
    ],
  },
  linkedDatasets: [
    {
      datasetCategory: tropicalWeather.id,
      datasetId: "storm-tracks",
      display: "Whole track",
      filters: [{ name: "storm_id", operator: "=", fromColumn: "storm_id" }],
    },
  ],
});

const dailyWeather = datasetRecipe(tropicalWeather, {
  id: "daily-weather",
  description: "Rain, temperature and wind of every day from 2012 to 2015 in Seattle and in New York. Choose one of the two to search.",
  owner: "NOAA",
  origin: { text: "NOAA Climate Data Online", link: "https://www.ncdc.noaa.gov/cdo-web/datatools/findstation" },
  license: publicDomain,
  updateRhythm: "never",
  tags: ["weather", "cities"],
  columns: [
    text("location", "Seattle or New York."),
    millis("date", "The day, as its midnight in UTC."),
    decimal("precipitation", "Rain and melted snow of the day.", "mm"),
    decimal("temp_max", "Highest temperature of the day.", "°C"),
    decimal("temp_min", "Lowest temperature of the day.", "°C"),
    decimal("wind", "Average wind of the day.", "m/s"),
    text("weather", "The day in one word: drizzle, fog, rain, snow or sun."),
  ],
  sources: { weather: vegaFile("weather.csv") },
  select: `
    select
      location, cast(date as timestamp) as date, cast(precipitation as double) as precipitation,
      cast(temp_max as double) as temp_max, cast(temp_min as double) as temp_min, cast(wind as double) as wind, weather
    from read_csv({weather}, header = true, all_varchar = true)
    order by date desc, location`,
  temporalField: "date",
  orderBy: [
    { column: "date", direction: "desc" },
    { column: "location", direction: "asc" },
  ],
  titleField: "location",
  subtitleField: "weather",
  faMapIcon: "cloud-sun-rain",
  filters: {
    staticFilters: [{ name: "location", display: "Location", description: "Seattle or New York.", required: true }],
    additionalFilters: [
      { name: "weather", display: "Weather", description: "drizzle, fog, rain, snow or sun." },
      { name: "precipitation", operator: ">=", display: "Precipitation at least", description: "In millimeters." },
      { name: "temp_max", operator: ">=", display: "Highest temperature at least", description: "In degrees Celsius." },
      { name: "temp_min", operator: "<=", display: "Lowest temperature at most", description: "In degrees Celsius." },
      { name: "wind", operator: ">=", display: "Wind at least", description: "In meters per second." },
    ],
  },
});

export const tropicalWeatherDatasets: readonly DatasetRecipe[] = [stormTracks, dailyWeather];
