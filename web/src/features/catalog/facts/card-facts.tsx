import { formatCount } from "@fairway/contract/counts";
import type { DatasetFacts } from "@fairway/contract/dataset-facts";
import type { ReactNode } from "react";
import { ContactLink } from "#parts/dataset-facts/contact-link.tsx";
import { freshnessOf, rowsText, timeSpanText } from "#parts/dataset-facts/fact-texts.ts";
import { FreshnessText } from "./freshness.tsx";
import classes from "./facts.module.css";

/** Facts that help to choose a dataset: its size, age, owner and use. Unknown facts are left out. */
export function CardFacts({ facts }: { facts: DatasetFacts }) {
  const { owner, contact, columns, searches } = facts;
  return (
    <dl className={classes["cardFacts"]} aria-label={`Facts about ${facts.dataset.datasetId}`}>
      <Fact name="Rows">{rowsText(facts)}</Fact>
      <Fact name="Time span">{timeSpanText(facts)}</Fact>
      <Fact name="Columns">{columns === 0 ? null : formatCount(columns)}</Fact>
      <Fact name="Updated">{freshnessOf(facts) && <FreshnessText facts={facts} />}</Fact>
      {owner === null && contact !== null ? (
        <Fact name="Contact">
          <ContactLink contact={contact} />
        </Fact>
      ) : (
        <Fact name="Owner">{owner}</Fact>
      )}
      <Fact name="Searches">{searches === 0 ? null : `${formatCount(searches)} in 30 days`}</Fact>
    </dl>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    children !== null && (
      <div>
        <dt>{name}</dt>
        <dd>{children}</dd>
      </div>
    )
  );
}

/** The tags of a dataset; nothing without any. */
export function Tags({ tags }: { tags: readonly string[] }) {
  return (
    tags.length > 0 && (
      <ul className={classes["tags"]} aria-label="Tags">
        {tags.map((tag) => (
          <li key={tag}>{tag}</li>
        ))}
      </ul>
    )
  );
}
