// @ts-check
import { journeyFiles, runJourneys } from "../../harness/journeys.mjs";

const maxMs = 20 * 60_000;

/** The most important journeys that need the real gateway. Those that a release does not have are skipped. */
const defaultJourneys = [
  "login",
  "logout",
  "password",
  "profile",
  "api-keys",
  "dataset-picker",
  "dataset-description",
  "first-search",
  "filters",
  "search-run",
  "saved-searches",
  "results-actions",
  "results-columns",
  "results-export",
  "export-all",
  "graphs-values",
  "graphs-templates",
  "map-items",
  "map-paths",
  "notices",
  "feedback",
  "auditing",
  "admin-access",
  "admin-accounts",
  "admin-datasets",
  "admin-entities",
  "admin-import",
  "admin-types",
];

/** Tests of releases that count what this version has more of, by a part of their titles. Nothing an older web app does is lost by it. */
const outgrown = [
  // Flow environments have trusted certificates of their own since r1, which an editor's tree shows as an eighth field.
  "an entity is made, changed in the tree and copied",
  // The demo has storm-reports since r2, which a search for "storm" finds before storm-tracks.
  "a user marks a favorite that persists, samples a dataset",
];

/**
 * Runs the release's browser journeys against a running portal.
 * @param {{ folder: string, port: number, home: string, only?: string[] }} options
 */
export function runReleasedJourneys({ folder, port, home, only = defaultJourneys }) {
  const available = journeyFiles(folder);
  const names = only.filter((name) => available.has(name));
  return runJourneys(folder, { names, port, home, maxMs, args: [`--grep-invert=${outgrown.join("|")}`] });
}
