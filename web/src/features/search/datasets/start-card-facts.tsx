import { datasetKey, type DatasetRef } from "@fairway/contract/datasets";
import { useQuery } from "@tanstack/react-query";
import { rowsText, shortSpanText } from "#parts/dataset-facts/fact-texts.ts";
import { allFactsQuery } from "#parts/dataset-facts/queries.ts";
import classes from "./datasets.module.css";

/** `3,000,000 rows · Jan – Jun 2001`; empty until it is known. */
export default function StartCardFacts({ dataset }: { dataset: DatasetRef }) {
  const facts = useQuery({ ...allFactsQuery, retry: false }).data?.get(datasetKey(dataset));
  if (!facts) return <small className={classes["facts"]}>&nbsp;</small>;
  const rows = rowsText(facts);
  const span = shortSpanText(facts);
  const texts = [
    ...(rows === null ? [] : [facts.rowsFrom === "request" ? "Rows on request" : `${rows} ${facts.rows === 1 ? "row" : "rows"}`]),
    ...(span === null ? [] : [span]),
  ];
  return <small className={classes["facts"]}>{texts.join(" · ")}</small>;
}
