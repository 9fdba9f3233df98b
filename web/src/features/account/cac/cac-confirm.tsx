import { PasswordInput } from "@mantine/core";
import type { CardReturn } from "#lib/session/card.ts";
import { GatewayError, messagesOf } from "#lib/gateway/gateway-error.ts";
import { FormDialog } from "#ui/kit/form-dialog.tsx";
import { toastError, toastSuccess } from "#ui/toast/toast.ts";
import classes from "../account.module.css";
import { linkCard, linkFailed } from "./cac-queries.ts";

interface Props {
  /** The issuer's response; null closes the dialog. */
  response: (CardReturn & { kind: "code" }) | null;
  username: string;
  /** Called when the card is linked, the dialog is closed, or the code was used up by a failed attempt. */
  onSettled: () => void;
}

/** Asks for the password before linking a card, so an unattended session is not enough. */
export function CacConfirm({ response, username, onSettled }: Props) {
  const link = async ({ password }: { password: string }) => {
    if (!response) return;
    try {
      await linkCard(response, password);
      toastSuccess("CAC linked");
    } catch (error) {
      if (isCodeUnused(error)) throw error;
      toastError(linkFailed, messagesOf(error).join(" "));
    }
    onSettled();
  };
  return (
    <FormDialog
      opened={response !== null}
      onClose={onSettled}
      title="Confirm Your Password"
      initial={{ password: "" }}
      isTyped={() => false}
      canSave={({ password }) => password !== ""}
      saveLabel="Link"
      save={link}
      renderFailure={null}
      className={classes["dialogForm"]}
    >
      {({ field, refusal, saving }) => (
        <>
          <p className={classes["hint"]}>Your CAC was read. Enter your password to link it to your account.</p>
          {refusal !== null && !saving && (
            <div role="alert" className={classes["failure"]}>
              <strong>{linkFailed}</strong>
              {messagesOf(refusal.error).join(" ")}
            </div>
          )}
          <input type="text" name="username" autoComplete="username" value={username} readOnly hidden />
          <PasswordInput
            label="Password"
            {...field("password")}
            error={false}
            autoComplete="current-password"
            required
            data-autofocus
            visibilityToggleButtonProps={{ "aria-label": "Show password" }}
          />
        </>
      )}
    </FormDialog>
  );
}

/** True when the issuer's code is still unused: the password was refused or the request did not arrive. */
const isCodeUnused = (error: unknown): boolean =>
  error instanceof GatewayError && (error.status === 0 || error.status === 429 || error.errors[0]?.path === "password");
