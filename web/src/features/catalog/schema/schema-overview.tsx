import type { DatasetRef } from "@fairway/contract/datasets";
import { lazyPart } from "#ui/lazy-part.tsx";
import classes from "./schema-overview.module.css";

const Relations = lazyPart(() => import("./relations.tsx"));
const ProfileOverview = lazyPart(() => import("./profile-overview.tsx"));

/** What is known about a dataset besides its descriptions, side by side. */
export function SchemaOverview({ dataset }: { dataset: DatasetRef }) {
  return (
    <div className={classes["overview"]}>
      <ProfileOverview dataset={dataset} />
      <Relations dataset={dataset} />
    </div>
  );
}
