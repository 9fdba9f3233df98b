import { Button } from "@mantine/core";
import { messagesOf } from "#lib/gateway/gateway-error.ts";
import { ReadingReport } from "#parts/reading/reading-report.tsx";
import { ErrorState, LoadingRows } from "#ui/states.tsx";
import type { FormReading } from "./form-context.ts";
import { useDatasetForm } from "./form-context.ts";
import { FormSection } from "./form-fields.tsx";
import classes from "./dataset-form.module.css";

const formatNames = { parquet: "Parquet", csv: "CSV", json: "JSON", xlsx: "XLSX" } as const;

/** Where the rows come from, and how text files are read. */
export function FilesSection() {
  const { draft, reading, profile } = useDatasetForm();
  const { source } = draft;
  return (
    <FormSection id="files">
      <dl className={classes["facts"]}>
        <dt>{source.kind === "files" ? formatNames[source.format] : "Table"}</dt>
        <dd>
          <code>{source.kind === "files" ? source.glob : source.name}</code>
        </dd>
        {profile && (
          <>
            <dt>Rows</dt>
            <dd>{profile.rows.toLocaleString("en-US")}</dd>
          </>
        )}
      </dl>
      {reading === null ? (
        <p className={classes["about"]}>The types of the columns are those of the data.</p>
      ) : (
        <TextFiles reading={reading} />
      )}
    </FormSection>
  );
}

function TextFiles({ reading: { reading, differences, isStored, choices, choose, isFetching, error, retry } }: { reading: FormReading }) {
  return (
    <div className={classes["reading"]}>
      <p role="status">{reading && isFetching ? "Reading the data again" : ""}</p>
      {error && !isFetching && (
        <ErrorState
          message={reading ? "The data can't be read with these choices." : "The data could not be read."}
          details={messagesOf(error)}
          onRetry={retry}
        />
      )}
      {!reading && isFetching && <LoadingRows label="Reading the data" rows={4} />}
      {reading && (
        <>
          {!isStored && (
            <p>
              These settings aren&apos;t saved yet, so they are detected again each time.{" "}
              <Button variant="subtle" size="compact-sm" onClick={() => choose({ ...choices, zone: choices.zone ?? reading.zone })}>
                Use them for later files as well
              </Button>
            </p>
          )}
          {differences.length > 0 && (
            <ul className={classes["differences"]} aria-label="What no longer fits">
              {differences.map((difference) => (
                <li key={difference}>{difference}</li>
              ))}
            </ul>
          )}
          <ReadingReport reading={reading} choices={choices} onChoices={choose} hasColumns={false} />
        </>
      )}
    </div>
  );
}
