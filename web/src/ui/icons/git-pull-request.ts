import { outlineIcon } from "./icon.ts";

export const IconGitPullRequest = outlineIcon("git-pull-request", [
  ["path", { d: "M4 18a2 2 0 1 0 4 0a2 2 0 1 0 -4 0" }],
  ["path", { d: "M4 6a2 2 0 1 0 4 0a2 2 0 1 0 -4 0" }],
  ["path", { d: "M16 18a2 2 0 1 0 4 0a2 2 0 1 0 -4 0" }],
  ["path", { d: "M6 8l0 8" }],
  ["path", { d: "M11 6h5a2 2 0 0 1 2 2v8" }],
  ["path", { d: "M14 9l-3 -3l3 -3" }],
]);
