import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link, useSearch } from "@tanstack/react-router";
import { canSucceedLater } from "#lib/gateway/gateway-error.ts";
import { useDataDoor } from "#parts/add-data/data-door.ts";
import { DropData } from "#parts/add-data/drop-data.tsx";
import { FileChooser } from "#parts/add-data/file-chooser.tsx";
import { importsQuery } from "#parts/add-data/queries.ts";
import { useStartImport } from "#parts/add-data/start-import.ts";
import { ownDataQuery } from "#parts/own-datasets/queries.ts";
import { roomText } from "#parts/own-datasets/room-text.ts";
import { IconTablePlus } from "#ui/icons/table-plus.ts";
import { WithoutData } from "#ui/kit/query-state.tsx";
import { PageHeader } from "#ui/page-header.tsx";
import { RelativeTime } from "#ui/relative-time.tsx";
import { EmptyState } from "#ui/states.tsx";
import { DeletedDatasets } from "./deleted-datasets.tsx";
import { purposeOf } from "./import-words.ts";
import classes from "./add-data.module.css";

/** Takes files and pasted tables, and lists imports that are not done. */
export function AddDataPage() {
  const query = useQuery(ownDataQuery);
  const door = useDataDoor();
  const { ofFiles } = useStartImport();
  const { category }: Record<string, unknown> = useSearch({ strict: false });
  const options = typeof category === "string" ? { category } : undefined;
  return (
    <DropData options={options}>
      <PageHeader title="Add data" subtitle={query.data && door.kind !== "hidden" ? `${roomText(query.data.room)} used` : undefined} />
      <div className={classes["start"]}>
        {query.data === undefined ? (
          <WithoutData
            query={query}
            loading={{ label: "Loading your data" }}
            failed="Failed to load your data"
            canRetry={canSucceedLater}
          />
        ) : door.kind === "hidden" || door.kind === "refused" ? (
          <EmptyState title="You can't add data" icon={<IconTablePlus size={24} stroke={1.5} aria-hidden />}>
            {door.kind === "refused" ? door.reason : "Nobody may bring data to this portal."}
          </EmptyState>
        ) : (
          <>
            <div className={classes["drop"]}>
              <IconTablePlus size={24} stroke={1.5} aria-hidden />
              <p>Drop a CSV, Excel, JSON, GeoJSON or Parquet file here.</p>
              <FileChooser label="Choose files" isPrimary isDisabled={door.kind === "full"} onFiles={(files) => ofFiles(files, options)} />
              {door.kind === "full" ? (
                <p role="note">{door.reason}</p>
              ) : (
                <p>
                  {"You can also paste a table. To try it, take "}
                  <a href="/sample-rain.csv" download>
                    a sample file
                  </a>
                  {"."}
                </p>
              )}
            </div>
            <Unfinished />
            <DeletedDatasets datasets={query.data.datasets} />
          </>
        )}
      </div>
    </DropData>
  );
}

/** Imports that were begun and not created or canceled. */
function Unfinished() {
  const { data = [] } = useQuery(importsQuery);
  const unfinished = data.filter(({ status }) => status !== "done");
  if (unfinished.length === 0) return null;
  return (
    <section aria-label="Not created yet" className={classes["unfinished"]}>
      <h2>Not created yet</h2>
      <p>They are kept for a day.</p>
      <ul>
        {unfinished.map(({ id, createdMs, ...unfinishedImport }) => (
          <li key={id}>
            <Button variant="subtle" renderRoot={(props) => <Link to="/add-data/$importId" params={{ importId: id }} {...props} />}>
              {purposeOf(unfinishedImport)}
            </Button>
            <small>
              <RelativeTime epochMs={createdMs} />
            </small>
          </li>
        ))}
      </ul>
    </section>
  );
}
