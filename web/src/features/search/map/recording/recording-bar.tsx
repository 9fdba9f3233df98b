import { Button, Progress } from "@mantine/core";
import { IconPlayerRecordFilled } from "#ui/icons/player-record-filled-filled.ts";
import classes from "./recording-bar.module.css";

interface Props {
  /** From 0 to 1. */
  progress: number;
  onStop: () => void;
  onCancel: () => void;
}

/** Progress of the video of a playback. */
export function RecordingBar({ progress, onStop, onCancel }: Props) {
  const percent = Math.floor(progress * 100);
  return (
    <section className={classes["bar"]} aria-label="Recording">
      <IconPlayerRecordFilled size={16} aria-hidden />
      <span>Recording {percent}%</span>
      <Progress className={classes["progress"] ?? ""} value={percent} aria-label="Recorded" />
      <Button size="compact-sm" variant="default" onClick={onStop}>
        Stop and save
      </Button>
      <Button size="compact-sm" variant="subtle" onClick={onCancel}>
        Cancel
      </Button>
    </section>
  );
}
