import { Button, TextInput } from "@mantine/core";
import { IconCopy } from "#ui/icons/copy.ts";
import { IconExternalLink } from "#ui/icons/external-link.ts";
import { encode } from "uqr";
import { copyText } from "#lib/text/copy.ts";
import { needsRecentSignIn, messagesOf } from "#lib/gateway/gateway-error.ts";
import { FormDialog } from "#ui/kit/form-dialog.tsx";
import { toastSuccess } from "#ui/toast/toast.ts";
import { useLastShown } from "#ui/use-last-shown.ts";
import classes from "../account.module.css";
import { confirmAuthenticator } from "./methods-queries.ts";

interface Props {
  /** The started setup; null closes the dialog. */
  setup: { secret: string; uri: string } | null;
  onClose: () => void;
  onConfirmed: (recoveryCodes: string[]) => void;
}

/** Sets up an authenticator app by QR code or typed key, confirmed by a first code. */
export function AuthenticatorDialog({ setup, onClose, onConfirmed }: Props) {
  const shown = useLastShown(setup);
  if (!shown) return null;
  return (
    <FormDialog
      opened={setup !== null}
      onClose={onClose}
      title="Set Up Authenticator App"
      fillsPhone
      initial={{ code: "" }}
      isTyped={() => false}
      canSave={({ code }) => code.trim() !== ""}
      saveLabel="Confirm"
      save={async ({ code }) => onConfirmed(await confirmAuthenticator(code))}
      renderFailure={null}
      className={classes["dialogForm"]}
    >
      {({ field, refusal, saving }) => (
        <>
          <p>Scan this with an authenticator app on your phone, such as Aegis, 2FAS, or Google or Microsoft Authenticator.</p>
          <QrCode text={shown.uri} />
          <div>
            <p className={classes["hint"]}>Or enter this key into the app:</p>
            <code className={classes["secret"]}>{shown.secret.replaceAll(/(.{4})(?=.)/g, "$1 ")}</code>
          </div>
          <div className={classes["start"]}>
            <Button
              variant="default"
              leftSection={<IconCopy size={16} aria-hidden />}
              onClick={() => void copyText(shown.secret).then((copied) => copied && toastSuccess("Copied", 1200))}
            >
              Copy Key
            </Button>
            {/* An app on the same device cannot scan the code. */}
            <Button variant="default" component="a" href={shown.uri} leftSection={<IconExternalLink size={16} aria-hidden />}>
              Open in an App on This Device
            </Button>
          </div>
          <TextInput
            label="Code"
            description="The 6 digits the app shows now"
            {...field("code")}
            error={refusal !== null && !saving && failureText(refusal.error)}
            inputMode="numeric"
            autoComplete="one-time-code"
            data-autofocus
          />
        </>
      )}
    </FormDialog>
  );
}

const failureText = (error: unknown): string =>
  needsRecentSignIn(error) ? "You signed in too long ago. Close this and start again." : messagesOf(error).join(" ");

/** Dark on light in both themes, because not every camera reads inverted codes. */
function QrCode({ text }: { text: string }) {
  const { data, size } = encode(text, { border: 2 });
  const path = data.flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x} ${y}h1v1h-1z`] : []))).join("");
  return (
    <svg
      className={classes["qr"]}
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label="QR code for the authenticator app"
      shapeRendering="crispEdges"
    >
      <path d={path} />
    </svg>
  );
}
