import type { CatalogMatch } from "@fairway/contract/catalog";
import type { DatasetRef } from "@fairway/contract/datasets";
import { Link } from "@tanstack/react-router";
import { MarkedText } from "./marked-text.tsx";
import classes from "./list.module.css";

interface Props {
  dataset: DatasetRef;
  matches: readonly CatalogMatch[];
  /** Words that the schema highlights. */
  find: string;
}

/** Matches of a search in the columns, tags and private descriptions of a dataset. The others are marked where the card shows them. */
export function CardHits({ dataset, matches, find }: Props) {
  const described = matches.filter(({ field }) => field === "columnDescription");
  const named = matches.filter(({ field }) => field === "column");
  // A column whose description matches as well is shown once, with its description.
  const columns = named.filter(({ columnName }) => !described.some((match) => match.columnName === columnName));
  const tags = matches.filter(({ field }) => field === "tag");
  const privateTexts = matches.filter(({ field, layer }) => field === "description" && layer === "private");
  const link = ({ columnName }: CatalogMatch) => {
    const name = named.find((match) => match.columnName === columnName);
    return (
      <Link
        key={columnName}
        to="/data-catalog/$datasetCategory/$datasetId"
        params={dataset}
        search={{ find, at: columnName }}
        className={classes["column"]}
      >
        {name ? <MarkedText {...name} /> : columnName}
      </Link>
    );
  };
  return (
    <>
      {tags.length > 0 && (
        <p className={classes["hits"]}>
          <span className={classes["label"]}>{tags.length === 1 ? "Tag" : "Tags"}</span>
          {tags.map((match) => (
            <span key={match.text} className={classes["tag"]}>
              <MarkedText {...match} />
            </span>
          ))}
        </p>
      )}
      {columns.length > 0 && (
        <p className={classes["hits"]}>
          <span className={classes["label"]}>{columns.length === 1 ? "Column" : "Columns"}</span>
          {columns.map(link)}
        </p>
      )}
      {described.map((match) => (
        <p key={`${match.layer} ${match.columnName}`} className={classes["hits"]}>
          <span className={classes["label"]}>{match.layer === "private" ? "Column, private" : "Column"}</span>
          {link(match)}
          <span className={classes["text"]}>
            <MarkedText {...match} />
          </span>
        </p>
      ))}
      {privateTexts.map((match) => (
        <p key="private" className={classes["hits"]}>
          <span className={classes["label"]}>Private</span>
          <span className={classes["text"]}>
            <MarkedText {...match} />
          </span>
        </p>
      ))}
    </>
  );
}
