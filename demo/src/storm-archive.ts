import { demoFile } from "./data-files.ts";
import { filesetRecipe } from "./fileset-recipe.ts";
import { stormTracks } from "./tropical-weather.ts";

/** Positions with the number of each storm, as in storm-tracks, which names the files. */
const tracks = `
  with tracks as (${stormTracks.select}),
  storms as (
    select
      storm_id, season, any_value(name) as name, any_value(track_path) as track_path, min(time) as first_time, max(time) as last_time,
      count(*) as positions, max(category) as max_category, max(wind) as max_wind, min(pressure) as min_pressure
    from tracks group by storm_id, season
  )`;

const utc = (column: string) => `strftime(${column}, '%Y-%m-%dT%H:%M:%SZ')`;
const maxCategory = "max(max_category)";
const tags = (category: string, more = "") =>
  `json_object('year', season::varchar, 'basin', 'North Atlantic', 'max-category', (${category})::varchar${more})`;

/** One file for each storm, with every position. */
const byStorm = `
  ${tracks}
  select
    track_path as path,
    'storm_id,name,time,latitude,longitude,status,category,wind_kt,pressure_mb' || chr(10) || string_agg(
      concat(storm_id, ',', name, ',', ${utc("time")}, ',', latitude, ',', longitude, ',', status, ',', category, ',', wind, ',', pressure, chr(10)),
      '' order by time
    ) as content,
    max(time) as modified,
    ${tags("max(category)", ", 'storm', name")} as tags
  from tracks group by track_path, season, name`;

/** The storms of each season as a table. */
const seasonTable = `
  ${tracks}
  select
    'by-year/' || season || '/storms.csv' as path,
    'storm_id,name,first_time,last_time,positions,max_category,max_wind_kt,min_pressure_mb,track_file' || chr(10) || string_agg(
      concat(
        storm_id, ',', name, ',', ${utc("first_time")}, ',', ${utc("last_time")}, ',', positions, ',', max_category, ',', max_wind, ',',
        min_pressure, ',', track_path, chr(10)
      ),
      '' order by storm_id
    ) as content,
    max(last_time) as modified,
    ${tags(maxCategory)} as tags
  from storms group by season`;

/** The tracks of each season as lines on a map. */
const seasonTracks = `
  ${tracks},
  lines as (
    select
      season, storm_id, max(time) as last_time, max(category) as category,
      json_object(
        'type', 'Feature',
        'properties', json_object('storm_id', storm_id, 'name', any_value(name), 'max_category', max(category), 'max_wind_kt', max(wind)),
        'geometry', json_object('type', 'LineString', 'coordinates', list([longitude, latitude] order by time))
      )::varchar as feature
    from tracks group by season, storm_id
  )
  select
    'by-year/' || season || '/tracks.geojson' as path,
    '{"type":"FeatureCollection","features":[' || chr(10) || string_agg(feature, ',' || chr(10) order by storm_id) || chr(10) || ']}' || chr(10)
      as content,
    max(last_time) as modified,
    ${tags("max(category)")} as tags
  from lines group by season`;

/** Key figures of each season. */
const seasonSummary = `
  ${tracks}
  select
    'by-year/' || season || '/summary.json' as path,
    json_object(
      'season', season, 'basin', 'North Atlantic', 'storms', count(*),
      'hurricanes', count(*) filter (where max_category >= 1), 'majorHurricanes', count(*) filter (where max_category >= 3),
      'strongest', arg_max(
        {storm_id: storm_id, name: name, category: max_category, windKnots: max_wind, pressureMillibars: min_pressure, file: track_path},
        (max_wind, -min_pressure, storm_id)
      ),
      'stormIds', list(storm_id order by storm_id)
    )::varchar as content,
    max(last_time) as modified,
    ${tags(maxCategory)} as tags
  from storms group by season`;

/** A report on each season. */
const seasonReport = `
  ${tracks}
  select
    'by-year/' || season || '/report.md' as path,
    concat(
      '# The ', season, ' Atlantic season', chr(10), chr(10),
      count(*), ' storms were recorded, ', count(*) filter (where max_category >= 1), ' of them hurricanes. The strongest was **',
      arg_max(name, (max_wind, -min_pressure, storm_id)), '** with ', max(max_wind), ' knots.', chr(10), chr(10),
      '| Storm | Name | From | To | Category | Wind | Pressure |', chr(10), '| --- | --- | --- | --- | ---: | ---: | ---: |', chr(10),
      string_agg(
        concat(
          '| ', storm_id, ' | ', name, ' | ', strftime(first_time, '%-d %B'), ' | ', strftime(last_time, '%-d %B'), ' | ', max_category,
          ' | ', max_wind, ' kt | ', min_pressure, ' mb |', chr(10)
        ),
        '' order by storm_id
      ),
      chr(10), 'Categories are of the Saffir–Simpson scale; 0 is a tropical storm and -1 a tropical depression.', chr(10)
    ) as content,
    max(last_time) as modified,
    ${tags(maxCategory)} as tags
  from storms group by season`;

/** A map of each season: 10 units are one degree. */
const seasonMap = `
  ${tracks},
  lines as (
    select
      season, storm_id, name, last_time, max_category,
      concat(
        '<polyline class="c', greatest(max_category, 0), '" points="',
        (select string_agg(concat(round((longitude + 110) * 10)::integer, ',', round((55 - latitude) * 10)::integer), ' ' order by time)
         from tracks where tracks.storm_id = storms.storm_id),
        '"><title>', name, '</title></polyline>', chr(10)
      ) as line
    from storms
  )
  select
    'maps/' || season || '.svg' as path,
    concat(
      '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1050 500" width="1050" height="500">', chr(10),
      '<style>polyline{fill:none;stroke-width:2;stroke-linejoin:round;stroke:#2f7d95}.c1{stroke:#3f8f3f}.c2{stroke:#a3880b}.c3{stroke:#d06b00}',
      '.c4{stroke:#c8372d}.c5{stroke:#8e2a8b}text{font:18px sans-serif;fill:#24343a}</style>', chr(10),
      '<rect width="1050" height="500" fill="#e8f1f4"/>', chr(10),
      '<path fill="#d9d4c5" stroke="#a8a291" d="', (select trim(content) from read_text({coast})), '"/>', chr(10),
      string_agg(line, '' order by max_category, storm_id),
      '<text x="800" y="480">', season, ' Atlantic season</text>', chr(10), '</svg>', chr(10)
    ) as content,
    max(last_time) as modified,
    ${tags(maxCategory)} as tags
  from lines group by season`;

const season2005 = { year: "2005", basin: "North Atlantic", "max-category": "5" };
const allSeasons = { year: "1975-2020", basin: "North Atlantic", "max-category": "5" };

const archived = (path: string, name: string, tags: Readonly<Record<string, string>>) => ({
  path,
  from: demoFile(`storm-archive/${name}`),
  tags,
});

/** The file of each storm is named in the rows of storm-tracks. */
export const stormArchive = filesetRecipe({
  id: "storm-archive",
  description:
    "511 tropical storms of the North Atlantic from 1975 to 2020: a track file for each, and tables, maps and reports by season.",
  sources: { ...stormTracks.sources, coast: demoFile("atlantic-coast.txt") },
  selects: [byStorm, seasonTable, seasonTracks, seasonSummary, seasonReport, seasonMap],
  copies: [
    archived("README.txt", "README.txt", allSeasons),
    archived("animations/storms-2005.mp4", "storms-2005.mp4", season2005),
    archived("maps/storms-2005.jpg", "storms-2005.jpg", season2005),
    archived("maps/storms-2005.png", "storms-2005.png", season2005),
    archived("notebooks/storm-seasons.ipynb", "storm-seasons.ipynb", allSeasons),
    archived("reports/storms-2005.pdf", "storms-2005.pdf", season2005),
    { path: "storms.parquet", from: demoFile("storms.parquet"), tags: allSeasons },
  ],
});
