import { Button, TextInput } from "@mantine/core";
import { IconCopy } from "#ui/icons/copy.ts";
import { IconExternalLink } from "#ui/icons/external-link.ts";
import { type SubmitEvent, useState } from "react";
import { encode } from "uqr";
import { copyText } from "#lib/text/copy.ts";
import { needsRecentSignIn, messagesOf } from "#lib/gateway/gateway-error.ts";
import { Dialog } from "#ui/dialog/dialog.tsx";
import { toastSuccess } from "#ui/toast/toast.ts";
import classes from "../account.module.css";
import { confirmAuthenticator } from "./methods-queries.ts";

interface Props {
  /** The started setup; null closes the dialog. */
  setup: { secret: string; uri: string } | null;
  onClose: () => void;
  onConfirmed: (recoveryCodes: string[]) => void;
}

/** Sets up an authenticator app by QR code or typed key, confirmed by a first code. */
export function AuthenticatorDialog({ setup, ...rest }: Props) {
  // Kept while the dialog fades out, so the QR code does not vanish first.
  const [shown, setShown] = useState(setup);
  if (setup && setup !== shown) setShown(setup);
  return (
    <Dialog opened={setup !== null} onClose={rest.onClose} title="Set Up Authenticator App" fillsPhone>
      {shown && <AuthenticatorForm key={shown.secret} setup={shown} {...rest} />}
    </Dialog>
  );
}

function AuthenticatorForm({ setup, onClose, onConfirmed }: Props & { setup: NonNullable<Props["setup"]> }) {
  const [code, setCode] = useState("");
  const [failure, setFailure] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);

  async function confirm(): Promise<void> {
    setBusy(true);
    setFailure(null);
    try {
      return onConfirmed(await confirmAuthenticator(code));
    } catch (error) {
      setFailure(needsRecentSignIn(error) ? "You signed in too long ago. Close this and start again." : messagesOf(error).join(" "));
    }
    setBusy(false);
  }

  function submit(event: SubmitEvent): void {
    event.preventDefault();
    if (code.trim() !== "" && !busy) void confirm();
  }

  return (
    <form className={classes["form"]} onSubmit={submit} noValidate>
      <p>Scan this with an authenticator app on your phone, such as Aegis, 2FAS, or Google or Microsoft Authenticator.</p>
      <QrCode text={setup.uri} />
      <div>
        <p className={classes["hint"]}>Or enter this key into the app:</p>
        <code className={classes["secret"]}>{setup.secret.replaceAll(/(.{4})(?=.)/g, "$1 ")}</code>
      </div>
      <div className={classes["start"]}>
        <Button
          variant="default"
          leftSection={<IconCopy size={16} aria-hidden />}
          onClick={() => void copyText(setup.secret).then((copied) => copied && toastSuccess("Copied", 1200))}
        >
          Copy Key
        </Button>
        {/* An app on the same device cannot scan the code. */}
        <Button variant="default" component="a" href={setup.uri} leftSection={<IconExternalLink size={16} aria-hidden />}>
          Open in an App on This Device
        </Button>
      </div>
      <TextInput
        label="Code"
        description="The 6 digits the app shows now"
        value={code}
        inputMode="numeric"
        autoComplete="one-time-code"
        data-autofocus
        error={failure}
        onChange={(event) => setCode(event.currentTarget.value)}
      />
      <div className={classes["actions"]}>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit" disabled={code.trim() === ""} loading={busy}>
          Confirm
        </Button>
      </div>
    </form>
  );
}

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
