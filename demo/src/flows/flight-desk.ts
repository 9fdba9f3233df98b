import { flowDefinition } from "./flow-definition.ts";
import type { FlowGroupRecipe, FlowRecipe } from "@fairway/contract/recipes";

const hour = 60;
const day = 24 * hour;

/** Reads the new files of one folder, merges their lines and writes them to another folder. */
const mergedFiles = ({
  name,
  comments,
  from,
  to,
  maxLines,
  maxAge,
}: Record<"name" | "comments" | "from" | "to" | "maxLines" | "maxAge", string>) =>
  flowDefinition({
    name,
    comments,
    parameters: { "inbox.folder": from, "outbox.folder": to },
    processors: {
      "List inbox": {
        type: "ListFile",
        at: [0, 0],
        every: "10 min",
        properties: { "Input Directory": "#{inbox.folder}", "File Filter": ".*\\.csv" },
      },
      "Take file": {
        type: "FetchFile",
        at: [0, 1],
        properties: { "File to Fetch": "${absolute.path}/${filename}", "Completion Strategy": "Delete File" },
        ends: ["not.found", "permission.denied", "failure"],
      },
      "Merge files": {
        type: "MergeContent",
        at: [0, 2],
        properties: {
          "Merge Strategy": "Bin-Packing Algorithm",
          "Merge Format": "Binary Concatenation",
          "Minimum Number of Entries": "1",
          "Maximum Number of Entries": maxLines,
          "Max Bin Age": maxAge,
        },
        ends: ["original", "failure"],
      },
      "Write outbox": {
        type: "PutFile",
        at: [0, 3],
        properties: { Directory: "#{outbox.folder}", "Conflict Resolution Strategy": "fail", "Create Missing Directories": "true" },
        ends: ["success", "failure"],
      },
    },
    connections: [
      ["List inbox", "success", "Take file"],
      ["Take file", "success", "Merge files"],
      ["Merge files", "merged", "Write outbox"],
    ],
  });

const delays = (maxLines: string, maxAge: string): string =>
  mergedFiles({
    name: "flight-delays-daily",
    comments: "Collects the delays that airports report during the day in one file.",
    from: "/tmp/fairway-demo/delays/inbox",
    to: "/tmp/fairway-demo/delays",
    maxLines,
    maxAge,
  });

const strikes = (): string =>
  mergedFiles({
    name: "bird-strike-import",
    comments: "Collects reports of bird strikes.",
    from: "/tmp/fairway-demo/strikes/inbox",
    to: "/tmp/fairway-demo/strikes",
    maxLines: "200",
    maxAge: "1 hour",
  });

const flightDelays: FlowRecipe = {
  name: "flight-delays-daily",
  requests: [
    {
      name: "Collect reported delays",
      minutesAgo: [21 * day, 21 * day - 10, 20 * day],
      steps: [
        { kind: "iteration", by: "admin", content: delays("500", "1 day") },
        { kind: "submit", by: "admin" },
        { kind: "accept", by: "admin" },
      ],
    },
    {
      name: "Write delays every hour",
      minutesAgo: [9 * hour, 8 * hour],
      steps: [
        { kind: "iteration", by: "admin", content: delays("1000", "1 hour") },
        { kind: "comment", by: "admin", text: "The analysts ask for fresher figures during storms." },
      ],
    },
  ],
};

const birdStrikes: FlowRecipe = {
  name: "bird-strike-import",
  requests: [
    {
      name: "Collect reports of bird strikes",
      minutesAgo: [18 * day, 18 * day - 30, 17 * day],
      steps: [
        { kind: "iteration", by: "admin", content: strikes() },
        { kind: "submit", by: "admin" },
        { kind: "accept", by: "admin" },
      ],
    },
  ],
};

export const flightDesk: FlowGroupRecipe = {
  entity: { name: "flight-desk", displayName: "Flight desk", description: "Flows that bring in flights and incidents." },
  flows: [flightDelays, birdStrikes],
};
