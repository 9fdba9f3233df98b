import { exports } from "@fairway/contract/exports";
import { Button, Flex, Progress } from "@mantine/core";
import { IconDownload } from "#ui/icons/download.ts";
import { IconFileInfo } from "#ui/icons/file-info.ts";
import { IconPlayerStop } from "#ui/icons/player-stop.ts";
import { urlOf } from "#lib/gateway/call.ts";
import { useLimits } from "#lib/gateway/portal-settings.ts";
import { cancelExport, type ExportRun } from "./export-runs.ts";
import { cutText, progressPercent, progressText, resultText } from "./export-wording.ts";
import classes from "./result-export.module.css";

interface Props {
  searchId: string;
  run: Extract<ExportRun, { phase: "running" | "done" }>;
  /** The search has changed since the export started. */
  changed: boolean;
  onClose: () => void;
  onAgain: () => void;
}

/** The progress of a running export, then its result. */
export function ExportProgress(props: Props) {
  return props.run.phase === "done" ? <Done {...props} /> : <Running {...props} />;
}

function Running({ searchId, run, changed, onClose }: Props) {
  const { exportMaxRows } = useLimits();
  const state = run.state ?? { rows: 0, totalRows: null };
  const percent = progressPercent(state, exportMaxRows);
  const text = progressText(state);
  return (
    <div className={classes["run"]}>
      <p className={classes["figures"]}>{text}</p>
      <Progress.Root>
        <Progress.Section
          withAria={false}
          role="progressbar"
          aria-label="Rows written"
          aria-valuetext={text}
          {...(percent === null ? {} : { "aria-valuemin": 0, "aria-valuemax": 100, "aria-valuenow": Math.round(percent) })}
          value={percent ?? 100}
          animated={percent === null}
        />
      </Progress.Root>
      {run.unreachable && (
        <p role="alert" className={classes["failure"]}>
          The server could not be reached. Trying again …
        </p>
      )}
      <p className={classes["small"]}>Closing this leaves the export running. Closing the search ends it.</p>
      {changed && <Changed />}
      <Flex gap="sm" justify="flex-end" wrap="wrap">
        <Button variant="default" onClick={onClose}>
          Close
        </Button>
        <Button
          ref={takeFocus}
          data-autofocus
          variant="default"
          leftSection={<IconPlayerStop size={16} aria-hidden />}
          loading={run.cancelling}
          onClick={() => void cancelExport(searchId)}
        >
          Cancel Export
        </Button>
      </Flex>
    </div>
  );
}

function Done({ run, changed, onClose, onAgain }: Props) {
  const { exportKeepMinutes } = useLimits();
  const { state, exportId } = run;
  if (state === null) return null;
  return (
    <div className={classes["run"]}>
      <p className={classes["figures"]}>{resultText(state, exportKeepMinutes)}</p>
      {state.cut && (
        <p role="alert" className={classes["cut"]}>
          {cutText(state)}
        </p>
      )}
      {changed && <Changed />}
      <Flex gap="sm" justify="flex-end" wrap="wrap">
        <Button variant="subtle" onClick={onAgain}>
          New Export
        </Button>
        <Button variant="default" onClick={onClose}>
          Close
        </Button>
        <Button
          component="a"
          href={urlOf(exports.manifest, { exportId })}
          download
          variant="default"
          leftSection={<IconFileInfo size={16} aria-hidden />}
        >
          Manifest
        </Button>
        <Button
          ref={takeFocus}
          data-autofocus
          component="a"
          href={urlOf(exports.file, { exportId })}
          download
          leftSection={<IconDownload size={16} aria-hidden />}
        >
          Download
        </Button>
      </Flex>
    </div>
  );
}

/** The previous step was removed together with the focused element. */
const takeFocus = (element: HTMLElement | null): void => element?.focus();

const Changed = () => <p className={classes["small"]}>The search has changed since. This export is of the earlier search.</p>;
