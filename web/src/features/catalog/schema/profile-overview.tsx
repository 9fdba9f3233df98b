import { passesRole } from "@fairway/contract/access";
import { pluralize } from "@fairway/contract/counts";
import { type DatasetProfileState, datasetProfiles } from "@fairway/contract/dataset-profiles";
import type { DatasetRef } from "@fairway/contract/datasets";
import { isOwnCategory } from "@fairway/contract/own-datasets";
import { Button, Group } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { agoText } from "#lib/time/ago-text.ts";
import { call } from "#lib/gateway/call.ts";
import { utcText } from "@fairway/contract/utc-texts";
import { messagesOf } from "#lib/gateway/gateway-error.ts";
import { useCurrentUser } from "#lib/session/current-session.ts";
import { profileQuery } from "#parts/dataset-profile/queries.ts";
import { FailureLine } from "#ui/states.tsx";
import { toastError } from "#ui/toast/toast.ts";
import { CoverageChart } from "./coverage-chart.tsx";
import classes from "./schema.module.css";

/** The coverage of a dataset over time, and the state of its profile. Nothing for datasets that have no profile. */
export default function ProfileOverview({ dataset }: { dataset: DatasetRef }) {
  const { datasetCategory: category, datasetId } = dataset;
  const { data, error, refetch } = useQuery(profileQuery(category, datasetId));
  const { roles } = useCurrentUser();
  if (data?.state === "unsupported") return null;
  const coverage = data?.profile?.coverage ?? null;
  return (
    <section aria-labelledby="coverage-title" className={classes["overview"]}>
      <header>
        <h2 id="coverage-title">
          {coverage === null ? "Profile" : "Coverage"}
          {coverage !== null && <span>{`rows per ${coverage.unit}, UTC`}</span>}
        </h2>
        {data && (
          <Group gap="md" wrap="nowrap" c="dimmed" fz="xs">
            {data.state !== "restricted" && (
              <span role="status">
                <StateText state={data} />
              </span>
            )}
            {passesRole(roles, "admin") && !isOwnCategory(category) && (
              <UpdateButton dataset={dataset} isRunning={data.state === "running"} />
            )}
          </Group>
        )}
      </header>
      {error && !data && (
        <FailureLine
          text={`The profile could not be loaded. ${messagesOf(error).join(" ")}`}
          onRetry={() => void refetch()}
          className={classes["failure"]}
        />
      )}
      {data?.failure && data.state === "failed" && <p className={classes["failure"]}>{data.failure.problem}</p>}
      {coverage !== null && <CoverageChart coverage={coverage} />}
      {data && coverage === null && <p className={classes["text"]}>{withoutCoverage(data)}</p>}
    </section>
  );
}

function StateText({ state: { state, profile, failure } }: { state: DatasetProfileState }) {
  if (state === "running") return "Profiling now";
  if (state === "failed" && failure) {
    return (
      <>
        {"Profiling failed "}
        <Ago epochMs={failure.failedMs} />
        {profile && (
          <>
            {", last profiled "}
            <Ago epochMs={profile.measuredMs} />
          </>
        )}
      </>
    );
  }
  if (profile === null) return "Not profiled yet";
  return (
    <>
      {"Profiled "}
      <Ago epochMs={profile.measuredMs} />
    </>
  );
}

function Ago({ epochMs }: { epochMs: number }) {
  return (
    <time dateTime={new Date(epochMs).toISOString()} title={`${utcText(epochMs)} UTC`}>
      {agoText(epochMs)}
    </time>
  );
}

function withoutCoverage({ state, profile }: DatasetProfileState): string {
  if (profile) return `${pluralize(profile.rows, "row")}. Without a time column, there is no coverage over time.`;
  if (state === "restricted") return "Figures of all rows are not shown, because you see a part of them.";
  if (state === "failed") return "There is no earlier profile.";
  return "The profile of the columns is computed in the background and appears here.";
}

function UpdateButton({ dataset, isRunning }: { dataset: DatasetRef; isRunning: boolean }) {
  const queries = useQueryClient();
  const { mutate, isPending } = useMutation({
    mutationFn: () => call(datasetProfiles.update, { params: { id: dataset.datasetId } }),
    onSuccess: () => queries.refetchQueries({ queryKey: profileQuery(dataset.datasetCategory, dataset.datasetId).queryKey }),
    onError: (error) => toastError("Update Failed", messagesOf(error).join(" ")),
  });
  return (
    <Button variant="default" size="compact-xs" loading={isPending} disabled={isRunning} onClick={() => mutate()}>
      Update profile
    </Button>
  );
}
