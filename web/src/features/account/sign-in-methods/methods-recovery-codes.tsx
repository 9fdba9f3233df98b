import { Button, Flex } from "@mantine/core";
import { IconCopy } from "#ui/icons/copy.ts";
import { IconDownload } from "#ui/icons/download.ts";
import { copyText } from "#lib/text/copy.ts";
import { downloadBlob } from "#lib/browser/download.ts";
import { Dialog } from "#ui/dialog/dialog.tsx";
import { toastSuccess } from "#ui/toast/toast.ts";
import { useLastShown } from "#ui/use-last-shown.ts";
import classes from "../account.module.css";

/** Shows recovery codes once. Only the button closes the dialog, because a stray click would lose them. */
export function RecoveryCodesDialog({ codes, onClose }: { codes: readonly string[] | null; onClose: () => void }) {
  const shown = useLastShown(codes);
  return (
    <Dialog
      opened={codes !== null}
      onClose={onClose}
      title="Recovery Codes"
      closeOnClickOutside={false}
      closeOnEscape={false}
      withCloseButton={false}
    >
      {shown && <RecoveryCodes codes={shown} onClose={onClose} />}
    </Dialog>
  );
}

function RecoveryCodes({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  const text = `${codes.join("\n")}\n`;
  return (
    <div className={classes["form"]}>
      <p>Save these somewhere you can reach without your device. Each one signs you in once. You won't see them again.</p>
      <ol className={classes["codes"]} aria-label="Recovery codes">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ol>
      <div className={classes["start"]}>
        <Button
          variant="default"
          leftSection={<IconCopy size={16} aria-hidden />}
          onClick={() => void copyText(text).then((copied) => copied && toastSuccess("Copied", 1200))}
        >
          Copy Codes
        </Button>
        <Button
          variant="default"
          leftSection={<IconDownload size={16} aria-hidden />}
          onClick={() => downloadBlob(new Blob([text], { type: "text/plain" }), "recovery-codes.txt")}
        >
          Download
        </Button>
      </div>
      <Flex gap="sm" justify="flex-end" mt="sm">
        <Button data-autofocus onClick={onClose}>
          I've Saved Them
        </Button>
      </Flex>
    </div>
  );
}
