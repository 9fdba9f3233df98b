import type { DatasetRelations } from "@fairway/contract/dataset-facts";
import { datasetKey, type DatasetRef } from "@fairway/contract/datasets";
import { IconBookmark } from "#ui/icons/bookmark.ts";
import { IconDatabase } from "#ui/icons/database.ts";
import { IconFolder } from "#ui/icons/folder.ts";
import type { IconComponent } from "#ui/icons/icon.ts";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { messagesOf } from "#lib/gateway/gateway-error.ts";
import { relationsQuery } from "#parts/dataset-facts/queries.ts";
import { FailureLine } from "#ui/states.tsx";
import classes from "./schema.module.css";

/** Links from a dataset and to it. Nothing without any relation. */
export default function Relations({ dataset }: { dataset: DatasetRef }) {
  const { data, error, refetch } = useQuery(relationsQuery(dataset.datasetCategory, dataset.datasetId));
  if (!data) {
    return (
      error && (
        <section aria-label="Relations" className={classes["relations"]}>
          <h2>Relations</h2>
          <FailureLine text={`The relations could not be loaded. ${messagesOf(error).join(" ")}`} onRetry={() => void refetch()} />
        </section>
      )
    );
  }
  const count = Object.values(data).reduce((sum, list) => sum + list.length, 0);
  return (
    count > 0 && (
      <section aria-label="Relations" className={classes["relations"]}>
        <h2>
          Relations <span>{count}</span>
        </h2>
        <ul>
          {data.linksTo.map((link) => (
            <DatasetLink key={`to ${JSON.stringify(link)}`} link={link} from={dataset} note={linkNote(link)} />
          ))}
          {data.linkedFrom.map((link) => (
            <DatasetLink key={`from ${JSON.stringify(link)}`} link={link} from={dataset} note={<>uses this dataset: {link.display}</>} />
          ))}
          {data.filesets.map(({ id, column }) => (
            <Relation key={id} icon={IconFolder} note={<>files by {code([column])}</>}>
              <Link to="/filesets" search={{ fileset: id }}>
                {id}
              </Link>
            </Relation>
          ))}
          {data.groups.map(({ id, name }) => (
            <Relation key={id} icon={IconBookmark} note="dataset group">
              <Link to="/search" search={{ tab: "groups", group: name }}>
                {name}
              </Link>
            </Relation>
          ))}
        </ul>
      </section>
    )
  );
}

type DatasetLinkData = DatasetRelations["linksTo"][number];

const linkNote = ({ display, columns }: DatasetLinkData): ReactNode => (
  <>
    {display} by {code(columns)}
  </>
);

const code = (columns: readonly string[]): ReactNode => columns.map((column) => <code key={column}>{column}</code>);

const DatasetLink = ({ link, from, note }: { link: DatasetLinkData; from: DatasetRef; note: ReactNode }) => (
  <Relation icon={IconDatabase} note={note}>
    {datasetKey(link.dataset) === datasetKey(from) ? (
      <span>This dataset</span>
    ) : (
      <Link to="/data-catalog/$datasetCategory/$datasetId" params={link.dataset}>
        {link.dataset.datasetId}
      </Link>
    )}
  </Relation>
);

function Relation({ icon: Icon, note, children }: { icon: IconComponent; note: ReactNode; children: ReactNode }) {
  return (
    <li>
      <Icon size={16} aria-hidden />
      {children}
      <span className={classes["note"]}>{note}</span>
    </li>
  );
}
