import type { ApiKey } from "@fairway/contract/api-keys";
import { Button, Radio } from "@mantine/core";
import { type SubmitEvent, useState } from "react";
import { messagesOf } from "#lib/gateway/gateway-error.ts";
import { Dialog } from "#ui/dialog/dialog.tsx";
import { toastSuccess } from "#ui/toast/toast.ts";
import { rotateKey } from "./keys-queries.ts";
import classes from "./keys.module.css";
import { useFreshAction } from "../use-fresh-action.tsx";

interface Props {
  /** The key to rotate; null closes the dialog. */
  rotated: ApiKey | null;
  onClose: () => void;
  onRotated: (key: ApiKey) => void;
}

const overlaps = [
  { hours: 0, label: "Stops immediately" },
  { hours: 1, label: "Works for 1 more hour" },
  { hours: 24, label: "Works for 24 more hours" },
  { hours: 168, label: "Works for 7 more days" },
] as const;

/** Gives a key a new value; the old one keeps working for the chosen time. */
export function RotateDialog({ rotated, ...rest }: Props) {
  // Kept while the dialog fades out, so its text does not vanish first.
  const [shown, setShown] = useState(rotated);
  if (rotated && rotated !== shown) setShown(rotated);
  return (
    <Dialog opened={rotated !== null} onClose={rest.onClose} title={`Rotate ${shown?.name ?? ""}`}>
      {shown && <Rotation name={shown.name} {...rest} />}
    </Dialog>
  );
}

function Rotation({ name, onClose, onRotated }: Omit<Props, "rotated"> & { name: string }) {
  const [hours, setHours] = useState("24");
  const [failure, setFailure] = useState<readonly string[]>([]);
  const [busy, setBusy] = useState(false);
  const fresh = useFreshAction((error) => setFailure(messagesOf(error)));

  async function rotate(): Promise<void> {
    setBusy(true);
    setFailure([]);
    try {
      const key = await rotateKey(name, Number(hours));
      toastSuccess("API key rotated");
      onRotated(key);
    } catch (error) {
      setBusy(false);
      throw error;
    }
  }

  function submit(event: SubmitEvent): void {
    event.preventDefault();
    if (!busy) void fresh.run(rotate);
  }

  return (
    <>
      <form className={classes["dialog"]} onSubmit={submit}>
        <p>The key gets a new value. Its access stays the same.</p>
        <Radio.Group label="The current value" value={hours} onChange={setHours}>
          <div className={classes["choices"]}>
            {overlaps.map((overlap) => (
              <Radio key={overlap.hours} value={String(overlap.hours)} label={overlap.label} />
            ))}
          </div>
        </Radio.Group>
        {failure.length > 0 && (
          <div role="alert" className={classes["failure"]}>
            <strong>Rotation Failed</strong>
            {failure.map((message) => (
              <p key={message}>{message}</p>
            ))}
          </div>
        )}
        <div className={classes["actions"]}>
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={busy}>
            Rotate
          </Button>
        </div>
      </form>
      {fresh.dialog}
    </>
  );
}
