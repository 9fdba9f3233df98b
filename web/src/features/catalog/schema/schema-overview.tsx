import type { DatasetRef } from "@fairway/contract/datasets";
import ProfileOverview from "./profile-overview.tsx";
import Relations from "./relations.tsx";
import classes from "./schema.module.css";

/** Facts about a dataset besides its descriptions, side by side. */
export function SchemaOverview({ dataset }: { dataset: DatasetRef }) {
  return (
    <div className={classes["schemaOverview"]}>
      <ProfileOverview dataset={dataset} />
      <Relations dataset={dataset} />
    </div>
  );
}
