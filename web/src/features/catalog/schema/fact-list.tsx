import { formatCount } from "@fairway/contract/counts";
import type { DatasetFacts } from "@fairway/contract/dataset-facts";
import type { DatasetRef } from "@fairway/contract/datasets";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Tags } from "../facts/card-facts.tsx";
import { ContactLink, ExternalLink } from "#parts/dataset-facts/contact-link.tsx";
import { freshnessOf, rhythmTexts, timeSpanText } from "#parts/dataset-facts/fact-texts.ts";
import { FactsFailure } from "../facts/facts-failure.tsx";
import { FreshnessText } from "../facts/freshness.tsx";
import { factsQuery } from "#parts/dataset-facts/queries.ts";
import classes from "./schema.module.css";

/** Owner, contact, origin, license, rhythm and use of a dataset, each only if it is known. */
export default function FactList({ dataset }: { dataset: DatasetRef }) {
  const { data: facts, error, refetch } = useQuery(factsQuery(dataset.datasetCategory, dataset.datasetId));
  if (!facts) return error ? <FactsFailure onRetry={() => void refetch()} /> : null;
  const { owner, contact, origin, license, updateRhythm, tags, searches } = facts;
  return (
    <section aria-label="Facts" className={classes["facts"]}>
      <dl>
        <Fact name="Owner">{owner}</Fact>
        <Fact name="Contact">{contact !== null && <ContactLink contact={contact} />}</Fact>
        <Fact name="Source">{origin && <Linked linked={origin} />}</Fact>
        <Fact name="License">{license && <Linked linked={license} />}</Fact>
        <Fact name="Updates">{updateRhythm && (updateRhythm === "never" ? "None, dataset is complete" : rhythmTexts[updateRhythm])}</Fact>
        <Fact name="Updated">{freshnessOf(facts) && <FreshnessText facts={facts} />}</Fact>
        <Fact name="Time span">{timeSpanText(facts)}</Fact>
        <Fact name="Searches">{searches > 0 && `${formatCount(searches)} in 30 days`}</Fact>
      </dl>
      <Tags tags={tags} />
    </section>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    children !== null &&
    children !== false && (
      <div>
        <dt>{name}</dt>
        <dd>{children}</dd>
      </div>
    )
  );
}

const Linked = ({ linked: { text, link } }: { linked: NonNullable<DatasetFacts["license"]> }) =>
  link === null ? text : <ExternalLink href={link}>{text}</ExternalLink>;
