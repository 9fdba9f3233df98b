import { formatCount } from "@fairway/contract/counts";
import type { DataImport } from "@fairway/contract/imports";
import { Progress } from "@mantine/core";
import { useState } from "react";
import { type Sending, useSending } from "#parts/add-data/sending.ts";
import { sizeText } from "#lib/text/size-text.ts";
import { Elapsed } from "#ui/elapsed.tsx";
import { capitalized } from "./import-words.ts";
import classes from "./add-data.module.css";

interface Props {
  data: DataImport;
  onCancel: () => void;
}

/** The present step, how far it is, and Cancel after a second. Nothing while the import waits for the user. */
export function ReadingState({ data: { id, status, progress }, onCancel }: Props) {
  const sending = useSending(({ imports }) => imports[id]);
  const isWorking = status === "reading" || status === "creating" || progress !== null;
  if (sending === undefined && !isWorking) return null;
  // Another step starts another clock.
  const step = sending ? "sending" : (progress?.step ?? status);
  return (
    <Working
      key={step}
      text={sending ? sendingText(sending) : progressText(progress, status)}
      share={shareOf(sending, progress)}
      onCancel={onCancel}
    />
  );
}

function Working({ text, share, onCancel }: { text: string; share: number | null; onCancel: () => void }) {
  return (
    <div className={classes["working"]}>
      <StartedElapsed text={text} onCancel={onCancel} />
      <Progress size={4} value={share ?? 100} animated={share === null} aria-label={text} />
    </div>
  );
}

function StartedElapsed({ text, onCancel }: { text: string; onCancel: () => void }) {
  const [startedMs] = useState(() => Date.now());
  return <Elapsed text={text} startedMs={startedMs} before={<span role="status">{text}</span>} onCancel={onCancel} />;
}

function sendingText({ sentBytes, totalBytes, isDisconnected }: Sending): string {
  const sent = `Sending, ${sizeText(sentBytes)} of ${sizeText(totalBytes)}`;
  return isDisconnected ? `${sent}, waiting for the connection` : sent;
}

/** `Reading, 120,000 of 1,000,000`, or only the step where nothing is counted. */
function progressText(progress: DataImport["progress"], status: DataImport["status"]): string {
  if (progress === null) return status === "creating" ? "Creating the dataset" : "Reading the file";
  const { step, done, total } = progress;
  return total === 0 ? capitalized(step) : `${capitalized(step)}, ${formatCount(done)} of ${formatCount(total)}`;
}

function shareOf(sending: Sending | undefined, progress: DataImport["progress"]): number | null {
  const { done, total } = sending ? { done: sending.sentBytes, total: sending.totalBytes } : (progress ?? { done: 0, total: 0 });
  return total === 0 ? null : Math.min(100, (done / total) * 100);
}
