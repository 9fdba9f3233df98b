import { pluralize } from "@fairway/contract/counts";
import type { DatasetRef } from "@fairway/contract/datasets";
import { useQuery } from "@tanstack/react-query";
import { freshnessOf } from "#parts/dataset-facts/fact-texts.ts";
import { FreshnessText } from "../facts/freshness.tsx";
import { factsQuery } from "#parts/dataset-facts/queries.ts";

/** The most important facts after the trail: `· 11,840 rows · updated 12 days ago by Storm Desk`. Nothing until they are loaded. */
export default function HeaderFacts({ dataset }: { dataset: DatasetRef }) {
  const { data: facts } = useQuery(factsQuery(dataset.datasetCategory, dataset.datasetId));
  if (!facts) return null;
  const { rows, rowsFrom, owner } = facts;
  const freshness = freshnessOf(facts);
  return (
    <>
      {rowsFrom === "request" ? " · rows on request" : rows !== null && ` · ${pluralize(rows, "row")}`}
      {freshness && rowsFrom !== "request" && (
        <>
          {" · "}
          <FreshnessText facts={facts} before={freshness.text === "Complete" ? "" : "updated "} />
        </>
      )}
      {owner !== null && ` · ${owner}`}
    </>
  );
}
