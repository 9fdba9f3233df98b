import { vegaFile } from "./data-files.ts";
import { filesetRecipe } from "./fileset-recipe.ts";

/** One file for each airport and month, with a row for each day. */
const departures = `
  with airports as (select * from read_csv({airports}, header = true, all_varchar = true)),
  days as (
    select
      origin, date_trunc('month', date) as month, cast(date as date) as day, count(*) as departures,
      count(distinct destination) as destinations, round(avg(delay), 1) as mean_delay, max(delay) as max_delay,
      count(*) filter (where delay > 15) as delayed
    from read_parquet({flights}) where date < timestamp '2001-07-01' group by all
  )
  select
    concat(origin, '-', strftime(month, '%Y-%m'), '.csv') as path,
    'airport,day,departures,destinations,mean_delay_min,max_delay_min,delayed_over_15_min' || chr(10) || string_agg(
      concat(origin, ',', day, ',', departures, ',', destinations, ',', mean_delay, ',', max_delay, ',', delayed, chr(10)), '' order by day
    ) as content,
    month + interval 1 month as modified,
    json_object(
      'airport', origin, 'name', any_value(name), 'city', coalesce(nullif(any_value(city), 'NA'), ''),
      'state', coalesce(nullif(any_value(state), 'NA'), ''), 'month', strftime(month, '%Y-%m')
    ) as tags
  from days left join airports on iata = origin
  group by origin, month`;

/** One large flat folder. */
export const flightArchive = filesetRecipe({
  id: "flight-archive",
  description:
    "Departures day by day, one file for each US airport and month from January to June 2001: flights, destinations and delays. " +
    "Counted in the random sample of three million flights in the dataset flights.",
  sources: { flights: vegaFile("flights-3m.parquet"), airports: vegaFile("airports.csv") },
  selects: [departures],
});
