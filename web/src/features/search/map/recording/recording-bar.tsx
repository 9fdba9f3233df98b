import { Button, Progress } from "@mantine/core";
import { IconPlayerRecordFilled } from "#ui/icons/player-record-filled-filled.ts";
import classes from "./recording-bar.module.css";

interface Props {
  /** From 0 to 1. */
  progress: number;
  /** The steps to play are not there yet: there is nothing to stop. */
  isLoading?: boolean;
  onStop: () => void;
  onCancel: () => void;
}

/** Progress of the video of a playback. */
export function RecordingBar({ progress, isLoading = false, onStop, onCancel }: Props) {
  const percent = Math.floor(progress * 100);
  return (
    <section className={classes["bar"]} aria-label="Recording">
      <IconPlayerRecordFilled size={16} aria-hidden />
      <span>{isLoading ? "Counting rows for the video" : `Recording ${percent}%`}</span>
      <Progress className={classes["progress"] ?? ""} value={percent} aria-label="Recorded" />
      {!isLoading && (
        <Button size="compact-sm" variant="default" onClick={onStop}>
          Stop and save
        </Button>
      )}
      <Button size="compact-sm" variant="subtle" onClick={onCancel}>
        Cancel
      </Button>
    </section>
  );
}
