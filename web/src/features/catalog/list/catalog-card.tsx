import type { CatalogMatch } from "@fairway/contract/catalog";
import { formatList } from "@fairway/contract/counts";
import type { DatasetQuality } from "@fairway/contract/dataset-quality";
import type { DatasetAnnouncement } from "@fairway/contract/dataset-announcements";
import type { DatasetFacts } from "@fairway/contract/dataset-facts";
import type { DatasetRef } from "@fairway/contract/datasets";
import type { OwnDataset } from "@fairway/contract/own-datasets";
import { Link } from "@tanstack/react-router";
import { findPattern } from "#lib/text/find-text.ts";
import { QualityBadge } from "#parts/dataset-quality/quality-badge.tsx";
import { OwnMark } from "#parts/own-datasets/own-mark.tsx";
import { AnnouncementBadge } from "#parts/dataset-announcements/announcement-mark.tsx";
import { DatasetThumbnail } from "#parts/dataset-profile/dataset-thumbnail.tsx";
import { Highlighted } from "#ui/highlighted.tsx";
import { CardHits } from "./card-hits.tsx";
import type { CatalogView } from "./catalog-view.ts";
import { CardActions } from "../facts/card-actions.tsx";
import { CardFacts, Tags } from "../facts/card-facts.tsx";
import { MarkedText } from "./marked-text.tsx";
import { SchemaBadges } from "../schema-badges.tsx";
import type { CatalogListing } from "./use-listings.ts";
import classes from "./list.module.css";

interface Props {
  entry: CatalogListing;
  found: CatalogView;
  announcement: DatasetAnnouncement | undefined;
  quality: DatasetQuality | undefined;
  /** Undefined until they are loaded. */
  facts: DatasetFacts | undefined;
  own: OwnDataset | undefined;
  isFavorite: boolean;
  onToggleFavorite: (dataset: DatasetRef) => void;
}

/** A dataset in the catalog. The whole card opens its schema. */
export function CatalogCard({ entry, found, announcement, quality, facts, own, isFavorite, onToggleFavorite }: Props) {
  const { dataset, description, communityDescription, matches, missing } = entry;
  const find = foundWords(matches);
  const match = (field: CatalogMatch["field"], layer: CatalogMatch["layer"] = "system") =>
    matches.find((one) => one.field === field && one.layer === layer);
  const text = (stored: string, matching: CatalogMatch | undefined) => (matching ? <MarkedText {...matching} /> : stored);
  const name = match("name");
  return (
    <>
      <DatasetThumbnail dataset={dataset} />
      <div className={classes["main"]}>
        <div className={classes["name"]}>
          <h2>
            <Link
              to="/data-catalog/$datasetCategory/$datasetId"
              params={dataset}
              search={schemaSearch(found, matches, find)}
              className={classes["open"]}
            >
              {name && !own?.title ? (
                <MarkedText {...name} />
              ) : (
                <Highlighted text={own?.title || dataset.datasetId} find={findPattern(found.name.trim())} />
              )}
            </Link>
          </h2>
          <OwnMark own={own} />
          <SchemaBadges {...entry} />
          <AnnouncementBadge announcement={announcement} />
          <QualityBadge quality={quality} />
        </div>
        <p className={classes["category"]}>
          {own ? (own.can === "own" ? "Own data" : "Shared with me") : text(dataset.datasetCategory, match("category"))}
        </p>
        {description !== "" && <p className={classes["description"]}>{text(description, match("description"))}</p>}
        {communityDescription !== "" && (
          <p className={classes["description"]}>{text(communityDescription, match("description", "community"))}</p>
        )}
        {missing && (
          <p className={classes["missing"]}>
            {"Without "}
            {formatList(missing.map((word) => `“${word}”`))}
          </p>
        )}
        <CardHits dataset={dataset} matches={matches} find={find} />
        {facts && <Tags tags={facts.tags} />}
      </div>
      {facts && <CardFacts facts={facts} />}
      <CardActions dataset={dataset} isFavorite={isFavorite} onToggleFavorite={onToggleFavorite} />
    </>
  );
}

/** Parameters of the schema's address: it opens at the column of the best match, unless that is in what the top of the page shows. */
function schemaSearch(found: CatalogView, matches: readonly CatalogMatch[], find: string): Record<string, string> {
  const column = matches[0]?.columnName;
  return {
    ...(found.column === "" ? {} : { column: found.column }),
    ...(find === "" ? {} : { find }),
    ...(column === undefined || column === null ? {} : { at: column }),
  };
}

/** The words that match, as they are written, for the schema to highlight: also other forms of what was typed. */
function foundWords(matches: readonly CatalogMatch[]): string {
  const words = matches.flatMap(({ text, ranges }) => ranges.map(({ start, end }) => text.slice(start, end).toLowerCase()));
  return [...new Set(words)].slice(0, 20).join(" ");
}
