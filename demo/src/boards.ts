import { everyone } from "@fairway/contract/access";
import type { BoardDraft } from "@fairway/contract/boards";
import type { BoardRecipe } from "@fairway/contract/recipes";
import type { SummaryDraft } from "@fairway/contract/summaries";

type Panel = NonNullable<BoardDraft["content"]["panels"]>[number];
type Position = Panel["place"];

const flights = { datasetCategory: "Aviation", datasetId: "flights" };
const birdStrikes = { datasetCategory: "Aviation", datasetId: "bird-strikes" };
const stormTracks = { datasetCategory: "Tropical weather", datasetId: "storm-tracks" };

const at = (x: number, y: number, w: number, h: number): Position => ({ x, y, w, h });
const where = (name: string, operator: string, value: string | number | boolean) => ({ filters: [{ name, operator, value }] });
const counted = { aggregation: "count", column: "*" } as const;
const rowsColumn = (color: string) => ({ id: "rows", model: "*", aggregation: "count", color });

/** A graph of the number of rows by day, or by as many days. */
const byDays = (title: string, type: "bar" | "line", color: string, days = 1) => ({
  title,
  type,
  groupingType: "day",
  ...(days > 1 ? { days } : {}),
  groupings: [],
  columns: [rowsColumn(color)],
  stacked: false,
  logAxis: false,
});

/** A graph with a group for each value of a column. */
const byValues = (
  title: string,
  type: "bar" | "doughnut",
  column: string,
  groups: readonly (readonly [value: string | number, color: string])[],
) => ({
  title,
  type,
  groupingType: "custom",
  groupings: groups.map(([value, color]) => ({
    id: String(value),
    label: String(value),
    color,
    conditions: [{ id: `${column}-${value}`, model: column, operator: "=", value }],
  })),
  columns: [rowsColumn("#099bf1")],
  stacked: false,
  logAxis: false,
});

const summarized = (title: string, breakdown: SummaryDraft["breakdown"]) =>
  ({ version: 2, title, breakdown }) satisfies SummaryDraft & { version: 2 };

const averageDelay = { aggregation: "avg", column: "delay" } as const;

const delays: BoardRecipe = {
  id: "demo-delays",
  owner: "admin",
  board: {
    name: "Delays and bird strikes, spring 2001",
    description: "How late flights were in the first half of 2001, and where birds were hit.",
    sharedWithRoles: [everyone],
    content: {
      timeRange: { start: "2001-01-01T00:00:00Z", end: "2001-06-30T23:59:59Z" },
      panels: [
        {
          id: "late",
          kind: "number",
          title: "Flights delayed over an hour",
          dataset: flights,
          query: where("delay", ">", 60),
          value: counted,
          place: at(0, 0, 3, 3),
        },
        {
          id: "worst",
          kind: "number",
          title: "Longest delay, minutes",
          dataset: flights,
          query: {},
          value: { aggregation: "max", column: "delay" },
          place: at(3, 0, 3, 3),
        },
        { id: "strikes", kind: "number", title: "Bird strikes", dataset: birdStrikes, query: {}, value: counted, place: at(6, 0, 3, 3) },
        {
          id: "damage",
          kind: "number",
          title: "Bird strikes with damage",
          dataset: birdStrikes,
          query: where("damaged", "=", true),
          value: counted,
          place: at(9, 0, 3, 3),
        },
        {
          id: "late-days",
          kind: "graph",
          title: "Flights delayed over an hour, by day",
          dataset: flights,
          query: where("delay", ">", 60),
          graph: byDays("Flights delayed over an hour, by day", "line", "#099bf1"),
          place: at(0, 3, 8, 8),
        },
        {
          id: "phases",
          kind: "graph",
          title: "Bird strikes by phase of flight",
          dataset: birdStrikes,
          query: {},
          graph: byValues("Bird strikes by phase of flight", "doughnut", "phase", [
            ["Approach", "#099bf1"],
            ["Climb", "#e36f17"],
            ["Take-off run", "#306f57"],
            ["Landing Roll", "#97419d"],
          ]),
          place: at(8, 3, 4, 8),
        },
        {
          id: "longest",
          kind: "table",
          title: "Longest delays",
          dataset: flights,
          query: { columns: ["date", "origin", "destination", "delay", "distance"], sort: [{ column: "delay", direction: "desc" }] },
          place: at(0, 11, 6, 7),
        },
        {
          id: "strikes-weeks",
          kind: "graph",
          title: "Bird strikes by week",
          dataset: birdStrikes,
          query: {},
          graph: byDays("Bird strikes by week", "bar", "#e36f17", 7),
          place: at(6, 11, 6, 7),
        },
        {
          id: "latest-origins",
          kind: "graph",
          title: "Latest origins, of those with 1,000 flights",
          dataset: flights,
          query: {},
          graph: summarized("Latest origins, of those with 1,000 flights", {
            by: [{ kind: "value", column: "origin", top: { count: 10 } }],
            measures: [averageDelay, { aggregation: "count", column: "*" }],
            having: [{ measure: "count(*)", operator: ">=", value: 1_000 }],
          }),
          place: at(0, 18, 6, 9),
        },
        {
          id: "late-share",
          kind: "graph",
          title: "Flights at least 15 minutes late, percent by week",
          dataset: flights,
          query: {},
          graph: summarized("Flights at least 15 minutes late, percent by week", {
            by: [{ kind: "time", unit: "week" }],
            measures: [{ aggregation: "rate", where: [{ name: "delay", operator: ">=", value: 15 }] }],
          }),
          place: at(6, 18, 6, 9),
        },
        {
          id: "delay-hours",
          kind: "graph",
          title: "Average delay by weekday and hour",
          dataset: flights,
          query: {},
          graph: summarized("Average delay by weekday and hour", {
            by: [
              { kind: "part", part: "dayOfWeek" },
              { kind: "part", part: "hourOfDay" },
            ],
            measures: [averageDelay],
          }),
          place: at(0, 27, 12, 8),
        },
      ],
    },
  },
};

const storms: BoardRecipe = {
  id: "demo-storms",
  owner: "admin",
  board: {
    name: "Atlantic storms of 2005",
    description: "The busiest season of the archive at a glance.",
    sharedWithRoles: [everyone],
    content: {
      timeRange: { start: "2005-06-01T00:00:00Z", end: "2006-01-31T23:59:59Z" },
      panels: [
        {
          id: "storms",
          kind: "map",
          title: "Where each storm ended, by pressure",
          dataset: stormTracks,
          query: {},
          colorBy: "pressure",
          place: at(0, 0, 8, 9),
        },
        {
          id: "wind",
          kind: "number",
          title: "Strongest wind, knots",
          dataset: stormTracks,
          query: {},
          value: { aggregation: "max", column: "wind" },
          place: at(8, 0, 4, 3),
        },
        {
          id: "pressure",
          kind: "number",
          title: "Lowest pressure, millibars",
          dataset: stormTracks,
          query: {},
          value: { aggregation: "min", column: "pressure" },
          place: at(8, 3, 4, 3),
        },
        {
          id: "hurricanes",
          kind: "number",
          title: "Observations of hurricane force",
          dataset: stormTracks,
          query: where("wind", ">=", 64),
          value: counted,
          place: at(8, 6, 4, 3),
        },
        {
          id: "weeks",
          kind: "graph",
          title: "Observations by week",
          dataset: stormTracks,
          query: {},
          graph: byDays("Observations by week", "bar", "#099bf1", 7),
          place: at(0, 9, 6, 7),
        },
        {
          id: "strongest",
          kind: "table",
          title: "Strongest observations",
          dataset: stormTracks,
          query: { columns: ["name", "time", "category", "wind", "pressure"], sort: [{ column: "wind", direction: "desc" }] },
          place: at(6, 9, 6, 7),
        },
        {
          id: "about",
          kind: "text",
          title: "How to read this board",
          text: "Choose another **time range** above to see another season. Press a bar, a point of a line or a storm on the map to open its rows.\n\n| Category | Wind, knots |\n| --- | --- |\n| 1 | 64 – 82 |\n| 2 | 83 – 95 |\n| 3 | 96 – 112 |\n| 4 | 113 – 136 |\n| 5 | 137 and more |",
          place: at(0, 16, 12, 6),
        },
      ],
    },
  },
};

/** Boards that are worth looking at. */
export const demoBoards: readonly BoardRecipe[] = [delays, storms];
