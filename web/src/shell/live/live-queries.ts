import type { LiveTopic } from "@fairway/contract/live";
import { onLiveChange } from "#lib/live/live-changes.ts";
import { queryClient } from "#lib/gateway/query-client.ts";

/**
 * Queries of each topic, by the beginning of their keys. Steps of deployments and progress of exports are followed where they are shown.
 */
const queriesOf: Readonly<Partial<Record<LiveTopic, readonly string[]>>> = {
  notices: ["notices"],
  deployments: ["flow-deployments", "flow-requests"],
  feedback: ["feedback"],
  alerts: ["alerts"],
  datasets: ["datasets", "own-datasets"],
  boards: ["boards"],
  savedSearches: ["favorite"],
};

/** Reads what is shown again when it has changed. Returns the function that stops it. */
export function reloadChangedQueries(): () => void {
  const stops = Object.entries(queriesOf).map(([topic, roots]) =>
    onLiveChange(topic as LiveTopic, (id) => {
      if (id === null) for (const root of roots) void queryClient.invalidateQueries({ queryKey: [root] });
    }),
  );
  return () => stops.forEach((stop) => stop());
}
