import { type FlowPlan, flowDefinition } from "./flow-definition.ts";
import type { FlowGroupRecipe, FlowRecipe } from "@fairway/contract/recipes";

const hour = 60;
const day = 24 * hour;

// Import of storm tracks

interface TrackImport {
  readonly linesPerFile: string;
  readonly readTimeout: string;
  readonly folder: string;
  /** Sends files of unexpected answers to a folder of their own. */
  readonly keepsFailures: boolean;
}

const trackImport = ({ linesPerFile, readTimeout, folder, keepsFailures }: TrackImport): string =>
  flowDefinition({
    name: "storm-track-import",
    comments: "Reads NOAA's best track of the North Atlantic and stores it in files of equal length.",
    parameters: { "best.track.url": "https://www.nhc.noaa.gov/data/hurdat/hurdat2.txt", "import.folder": folder },
    processors: {
      "Fetch best track": {
        type: "InvokeHTTP",
        at: [0, 0],
        every: "6 hours",
        properties: {
          "HTTP Method": "GET",
          "Remote URL": "#{best.track.url}",
          "Connection Timeout": "5 secs",
          "Read Timeout": readTimeout,
        },
        ends: keepsFailures ? ["Original", "Retry", "No Retry"] : ["Original", "Retry", "No Retry", "Failure"],
      },
      "Split into files": {
        type: "SplitText",
        at: [0, 1],
        properties: { "Line Split Count": linesPerFile, "Header Line Count": "0", "Remove Trailing Newlines": "true" },
        ends: ["original"],
      },
      "Store files": {
        type: "PutFile",
        at: [0, 2],
        properties: {
          Directory: "#{import.folder}",
          "Conflict Resolution Strategy": "replace",
          "Create Missing Directories": "true",
        },
        ends: ["success", "failure"],
      },
      ...(keepsFailures && {
        "Keep failures": {
          type: "PutFile",
          at: [1, 1] as const,
          properties: {
            Directory: "#{import.folder}/failed",
            "Conflict Resolution Strategy": "replace",
            "Create Missing Directories": "true",
          },
          ends: ["success", "failure"],
        },
      }),
    },
    connections: [
      ["Fetch best track", "Response", "Split into files"],
      ["Split into files", "splits", "Store files"],
      ...(keepsFailures
        ? ([
            ["Fetch best track", "Failure", "Keep failures"],
            ["Split into files", "failure", "Keep failures"],
          ] as const)
        : ([["Split into files", "failure", "Store files"]] as const)),
    ],
  });

const firstImport: TrackImport = {
  linesPerFile: "500",
  readTimeout: "15 secs",
  folder: "/tmp/fairway-demo/storm-tracks",
  keepsFailures: false,
};
const testFolder = "/tmp/fairway-demo/storm-tracks-test";
const largerBatches: TrackImport = { ...firstImport, linesPerFile: "2000", folder: testFolder };

const stormTrackImport: FlowRecipe = {
  name: "storm-track-import",
  requests: [
    {
      name: "Import the best track",
      minutesAgo: [40 * day, 40 * day - 20, 39 * day, 39 * day - 45, 39 * day - 50, 38 * day],
      steps: [
        { kind: "iteration", by: "developer", content: trackImport({ ...firstImport, folder: "/tmp/tracks" }) },
        { kind: "comment", by: "developer", text: "Polls every six hours, as the record changes a few times a year." },
        { kind: "comment", by: "admin", text: "Please keep demo data below `/tmp/fairway-demo`.", line: '"value": "/tmp/tracks"' },
        { kind: "iteration", by: "developer", content: trackImport(firstImport) },
        { kind: "submit", by: "developer" },
        { kind: "accept", by: "admin" },
      ],
    },
    {
      name: "Larger batches for the best track",
      minutesAgo: [5 * day, 5 * day - 30, 4 * day, 4 * day - 15, 4 * day - 20, 2 * day, 2 * day - 10, day, day - 5],
      steps: [
        { kind: "iteration", by: "developer", content: trackImport(largerBatches) },
        { kind: "submit", by: "developer" },
        { kind: "review", by: "admin" },
        {
          kind: "comment",
          by: "admin",
          text: "2,000 lines per file are fine. Can the files that cannot be split go to a folder of their own? Today they mix with the good ones.",
          line: '"Line Split Count": "',
        },
        { kind: "reject", by: "admin" },
        { kind: "iteration", by: "developer", content: trackImport({ ...largerBatches, keepsFailures: true }) },
        {
          kind: "comment",
          by: "developer",
          text: "Failures go to `failed` now. The folder is still the one of the test, I will change it last.",
        },
        {
          kind: "iteration",
          by: "developer",
          content: trackImport({ ...firstImport, linesPerFile: "2000", readTimeout: "60 secs", keepsFailures: true }),
        },
        {
          kind: "comment",
          by: "developer",
          text: "The timeout is **60 s** and the folder is the real one. Tested with the season of 2005, @admin.",
        },
      ],
    },
  ],
};

// Export of the storm archive

const archiveExport = (compressionLevel: string | null, every = "1 day"): string => {
  const target = { Directory: "#{export.folder}", "Conflict Resolution Strategy": "replace", "Create Missing Directories": "true" };
  const recipe: FlowPlan = {
    name: "storm-archive-export",
    comments: "Copies new files of the storm archive to the folder that partners collect.",
    parameters: { "archive.folder": "/tmp/fairway-demo/storm-archive", "export.folder": "/tmp/fairway-demo/export" },
    processors: {
      "List new files": {
        type: "ListFile",
        at: [0, 0],
        every,
        properties: { "Input Directory": "#{archive.folder}", "Recurse Subdirectories": "true", "File Filter": ".*\\.csv" },
      },
      "Read file": {
        type: "FetchFile",
        at: [0, 1],
        properties: { "File to Fetch": "${absolute.path}/${filename}", "Completion Strategy": "None" },
        ends: ["not.found", "permission.denied", "failure"],
      },
      ...(compressionLevel !== null && {
        Compress: {
          type: "CompressContent",
          at: [0, 2] as const,
          properties: {
            Mode: "compress",
            "Compression Format": "gzip",
            "Compression Level": compressionLevel,
            "Update Filename": "true",
          },
          ends: ["failure"],
          concurrentTasks: 2,
        },
      }),
      "Write export": { type: "PutFile", at: [0, compressionLevel === null ? 2 : 3], properties: target, ends: ["success", "failure"] },
    },
    connections: [
      ["List new files", "success", "Read file"],
      ...(compressionLevel === null
        ? ([["Read file", "success", "Write export"]] as const)
        : ([
            ["Read file", "success", "Compress"],
            ["Compress", "success", "Write export"],
          ] as const)),
    ],
    labels: [{ text: "Partners collect the export at 06:00 UTC", at: [1, 0] }],
  };
  return flowDefinition(recipe);
};

const stormArchiveExport: FlowRecipe = {
  name: "storm-archive-export",
  requests: [
    {
      name: "Export the archive every day",
      minutesAgo: [30 * day, 30 * day - 5, 29 * day],
      steps: [
        { kind: "iteration", by: "developer", content: archiveExport(null) },
        { kind: "submit", by: "developer" },
        { kind: "accept", by: "admin" },
      ],
    },
    {
      name: "Compress exported files",
      reason: "Partners fetch the archive over slow lines, and the files are text.",
      minutesAgo: [3 * day, 3 * day - 40, 2 * day, 2 * day - 30, 20 * hour, 19 * hour],
      steps: [
        { kind: "iteration", by: "developer", content: archiveExport("9") },
        { kind: "comment", by: "admin", text: "Level 9 takes long for little. Did you measure 6?", line: '"Compression Level": "' },
        { kind: "iteration", by: "developer", content: archiveExport("6") },
        {
          kind: "comment",
          by: "developer",
          text: "For the 511 files of the archive:\n\n| level | size | time |\n|---|---|---|\n| 9 | 1.9 MB | 4.1 s |\n| 6 | 2.0 MB | 1.2 s |\n\nLevel 6 it is.",
        },
        {
          kind: "iteration",
          by: "developer",
          content: archiveExport("6", "12 hours"),
          reason: "Compressed files are small enough to send them twice a day.",
        },
        { kind: "submit", by: "developer" },
      ],
    },
  ],
};

// Feed of earthquakes

const quakeFeed = (every: string, skipsBlasts: boolean): string =>
  flowDefinition({
    name: "quake-feed",
    comments: "Reads the earthquakes of the last hour and keeps one file per quake.",
    parameters: {
      "feed.url": "https://earthquake.usgs.gov/earthquakes/feed/v1.0/summary/all_hour.geojson",
      "quake.folder": "/tmp/fairway-demo/quakes",
    },
    processors: {
      "Read feed": {
        type: "InvokeHTTP",
        at: [0, 0],
        every,
        properties: { "HTTP Method": "GET", "Remote URL": "#{feed.url}", "Read Timeout": "15 secs" },
        ends: ["Original", "No Retry", "Retry", "Failure"],
      },
      "Split quakes": { type: "SplitJson", at: [0, 1], properties: { "JsonPath Expression": "$.features" }, ends: ["original", "failure"] },
      "Read type and id": {
        type: "EvaluateJsonPath",
        at: [0, 2],
        properties: {
          Destination: "flowfile-attribute",
          "Return Type": "auto-detect",
          "quake.type": "$.properties.type",
          filename: "$.id",
        },
        ends: ["unmatched", "failure"],
      },
      ...(skipsBlasts && {
        "Skip blasts": {
          type: "RouteOnAttribute",
          at: [1, 2] as const,
          properties: { "Routing Strategy": "Route to Property name", blast: "${quake.type:contains('blast')}" },
          ends: ["blast"],
        },
      }),
      "Store quake": {
        type: "PutFile",
        at: [0, 3],
        properties: { Directory: "#{quake.folder}", "Conflict Resolution Strategy": "replace", "Create Missing Directories": "true" },
        ends: ["success", "failure"],
      },
    },
    connections: [
      ["Read feed", "Response", "Split quakes"],
      ["Split quakes", "split", "Read type and id"],
      ...(skipsBlasts
        ? ([
            ["Read type and id", "matched", "Skip blasts"],
            ["Skip blasts", "unmatched", "Store quake"],
          ] as const)
        : ([["Read type and id", "matched", "Store quake"]] as const)),
    ],
  });

const quakes: FlowRecipe = {
  name: "quake-feed",
  requests: [
    {
      name: "Read the hourly feed",
      minutesAgo: [25 * day, 25 * day - 12, 24 * day],
      steps: [
        { kind: "iteration", by: "developer", content: quakeFeed("30 min", false) },
        { kind: "submit", by: "developer" },
        { kind: "accept", by: "admin" },
      ],
    },
    {
      name: "Skip quarry blasts",
      minutesAgo: [12 * day, 11 * day, 11 * day - 25, 10 * day],
      steps: [
        { kind: "iteration", by: "developer", content: quakeFeed("30 min", true) },
        { kind: "comment", by: "admin", text: "The dataset earthquakes lists blasts too, and people filter by type there." },
        { kind: "comment", by: "developer", text: "Then this would only make the two disagree. I give it up." },
        { kind: "abandon", by: "developer" },
      ],
    },
    {
      name: "Read the feed every five minutes",
      minutesAgo: [26 * hour, 25 * hour, 24 * hour],
      steps: [
        { kind: "iteration", by: "developer", content: quakeFeed("5 min", false) },
        { kind: "comment", by: "developer", text: "The feed itself is renewed every minute, so this does no harm to the service." },
        { kind: "submit", by: "developer" },
      ],
    },
  ],
};

// Import of daily weather

const weatherImport = (city: string): string =>
  flowDefinition({
    name: "daily-weather-import",
    comments: "Reads yesterday's weather of a city.",
    parameters: { "weather.url": `https://weather.example.org/daily/${city}.csv`, "weather.folder": "/tmp/fairway-demo/weather" },
    processors: {
      "Fetch day": {
        type: "InvokeHTTP",
        at: [0, 0],
        every: "1 day",
        properties: { "HTTP Method": "GET", "Remote URL": "#{weather.url}", "Read Timeout": "15 secs" },
        ends: ["Original", "No Retry", "Retry", "Failure"],
      },
      "Store day": {
        type: "PutFile",
        at: [0, 1],
        properties: { Directory: "#{weather.folder}", "Conflict Resolution Strategy": "replace", "Create Missing Directories": "true" },
        ends: ["success", "failure"],
      },
    },
    connections: [["Fetch day", "Response", "Store day"]],
  });

const dailyWeather: FlowRecipe = {
  name: "daily-weather-import",
  requests: [
    {
      name: "Import Seattle",
      minutesAgo: [6 * hour, 5 * hour],
      steps: [
        { kind: "iteration", by: "developer", content: weatherImport("seattle") },
        { kind: "comment", by: "developer", text: "New York follows once this one runs." },
      ],
    },
  ],
};

export const stormDesk: FlowGroupRecipe = {
  entity: { name: "storm-desk", displayName: "Storm desk", description: "Flows that bring in storms, earthquakes and weather." },
  flows: [stormTrackImport, stormArchiveExport, quakes, dailyWeather],
};
