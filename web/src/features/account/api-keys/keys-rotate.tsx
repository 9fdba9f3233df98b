import type { ApiKey } from "@fairway/contract/api-keys";
import { Radio, Stack } from "@mantine/core";
import { messagesOf } from "#lib/gateway/gateway-error.ts";
import { FormDialog } from "#ui/kit/form-dialog.tsx";
import { toastSuccess } from "#ui/toast/toast.ts";
import { useLastShown } from "#ui/use-last-shown.ts";
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
export function RotateDialog({ rotated, onClose, onRotated }: Props) {
  const name = useLastShown(rotated)?.name ?? "";
  const fresh = useFreshAction();
  return (
    <>
      <FormDialog
        opened={rotated !== null}
        onClose={onClose}
        title={`Rotate ${name}`}
        initial={{ hours: "24" }}
        isTyped={() => false}
        attempt={fresh.run}
        saveLabel="Rotate"
        save={async ({ hours }) => {
          const key = await rotateKey(name, Number(hours));
          toastSuccess("API key rotated");
          onRotated(key);
        }}
        renderFailure={rotationFailure}
        className={classes["dialog"]}
      >
        {({ field }) => (
          <>
            <p>The key gets a new value. Its access stays the same.</p>
            <Radio.Group label="The current value" {...field("hours")}>
              <Stack gap="sm" mt="sm">
                {overlaps.map((overlap) => (
                  <Radio key={overlap.hours} value={String(overlap.hours)} label={overlap.label} />
                ))}
              </Stack>
            </Radio.Group>
          </>
        )}
      </FormDialog>
      {fresh.dialog}
    </>
  );
}

const rotationFailure = (error: unknown) => (
  <div role="alert" className={classes["failure"]}>
    <strong>Rotation Failed</strong>
    {messagesOf(error).map((message) => (
      <p key={message}>{message}</p>
    ))}
  </div>
);
