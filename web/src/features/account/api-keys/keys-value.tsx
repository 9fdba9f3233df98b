import type { ApiKey } from "@fairway/contract/api-keys";
import { Button, Group, TextInput } from "@mantine/core";
import { IconCopy } from "#ui/icons/copy.ts";
import { copyText } from "#lib/text/copy.ts";
import { Dialog } from "#ui/dialog/dialog.tsx";
import { toastSuccess } from "#ui/toast/toast.ts";
import { useLastShown } from "#ui/use-last-shown.ts";
import { KeyUse } from "./keys-use.tsx";
import classes from "./keys.module.css";

/** Shows the value of a new key once. Only the button closes the dialog, because a stray click would lose the value. */
export function KeyValueDialog({ created, onClose }: { created: ApiKey | null; onClose: () => void }) {
  const shown = useLastShown(created);
  return (
    <Dialog
      opened={created !== null}
      onClose={onClose}
      title={`Key of ${shown?.name ?? ""}`}
      size={640}
      closeOnClickOutside={false}
      closeOnEscape={false}
      withCloseButton={false}
    >
      {shown && <KeyValue created={shown} onClose={onClose} />}
    </Dialog>
  );
}

function KeyValue({ created, onClose }: { created: ApiKey; onClose: () => void }) {
  const copy = async () => {
    if (await copyText(created.key)) toastSuccess("Copied", 1200);
  };
  const dataset = created.datasets[0];
  return (
    <div className={classes["dialog"]}>
      <p>Copy the key now and keep it safe. You won't see it again.</p>
      <div className={classes["value"]}>
        <TextInput
          aria-label="API key"
          value={created.key}
          readOnly
          classNames={{ input: classes["mono"] ?? "" }}
          onFocus={(event) => event.currentTarget.select()}
        />
        <Button data-autofocus leftSection={<IconCopy size={16} aria-hidden />} onClick={() => void copy()}>
          Copy Key
        </Button>
      </div>
      {dataset && <KeyUse dataset={dataset} value={created.key} />}
      <Group gap="sm" justify="flex-end" mt="sm">
        <Button variant="default" onClick={onClose}>
          Done
        </Button>
      </Group>
    </div>
  );
}
