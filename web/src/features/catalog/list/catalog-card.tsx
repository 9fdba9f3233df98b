import type { CatalogEntry } from "@fairway/contract/catalog";
import type { DatasetQuality } from "@fairway/contract/dataset-quality";
import type { DatasetAnnouncement } from "@fairway/contract/dataset-announcements";
import { Link } from "@tanstack/react-router";
import { findPattern } from "#lib/find-text.ts";
import { QualityBadge } from "#parts/dataset-quality/quality-badge.tsx";
import { AnnouncementBadge } from "#parts/dataset-announcements/announcement-mark.tsx";
import { DatasetThumbnail } from "#parts/dataset-profile/dataset-thumbnail.tsx";
import { Highlighted } from "#ui/highlighted.tsx";
import type { CatalogPlace } from "./catalog-place.ts";
import { SchemaBadges } from "../schema-badges.tsx";
import classes from "./catalog.module.css";

interface Props {
  entry: CatalogEntry;
  found: CatalogPlace;
  announcement: DatasetAnnouncement | undefined;
  quality: DatasetQuality | undefined;
}

/** A dataset in the catalog. The whole card opens its schema. */
export function CatalogCard({ entry, found, announcement, quality }: Props) {
  const { dataset, description, communityDescription } = entry;
  return (
    <li className={classes["card"]}>
      <DatasetThumbnail dataset={dataset} />
      <div className={classes["main"]}>
        <div className={classes["name"]}>
          <h2>
            <Link
              to="/data-catalog/$datasetCategory/$datasetId"
              params={dataset}
              search={found.column === "" ? {} : { column: found.column }}
              className={classes["open"]}
            >
              <Highlighted text={dataset.datasetId} find={findPattern(found.name.trim())} />
            </Link>
          </h2>
          <SchemaBadges {...entry} />
          <AnnouncementBadge announcement={announcement} />
          <QualityBadge quality={quality} />
        </div>
        <p className={classes["category"]}>{dataset.datasetCategory}</p>
        {description !== "" && <p className={classes["description"]}>{description}</p>}
        {communityDescription !== "" && <p className={classes["description"]}>{communityDescription}</p>}
      </div>
    </li>
  );
}
