import { Button } from "@mantine/core";
import { IconBuildingCommunity } from "#ui/icons/building-community.ts";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useEffect, useEffectEvent } from "react";
import { messagesOf } from "#lib/gateway/gateway-error.ts";
import { localTime } from "#lib/time/local-time.ts";
import { usePortal } from "#lib/gateway/portal-settings.ts";
import { leaveToLink, takeProviderReturn } from "#lib/session/provider.ts";
import { useCurrentUser } from "#lib/session/current-session.ts";
import { confirm } from "#ui/dialog/confirm.ts";
import { PageHeader } from "#ui/page-header.tsx";
import { toastError, toastSuccess } from "#ui/toast/toast.ts";
import classes from "../account.module.css";
import { addLink, linkQuery, removeLink } from "./provider-queries.ts";

interface Props {
  /** The whole page, for accounts without a password, to which second factors do not apply. */
  isAlone?: boolean;
  /** Runs a change that may need a recent sign-in. */
  runChange?: (action: () => Promise<void>) => Promise<void>;
  busy?: boolean;
}

const runNow = (action: () => Promise<void>): Promise<void> => action();

/** The organization's OpenID Connect provider: a way to sign in that an account with a password may have besides. */
export default function ProviderMethod({ isAlone = false, runChange = runNow, busy = false }: Props) {
  const displayName = usePortal(({ ui }) => ui?.oidc?.displayName ?? null);
  const method = displayName !== null && <Provider displayName={displayName} runChange={runChange} busy={busy} />;
  if (!isAlone) return method;
  return (
    <>
      <PageHeader title="Sign-in Methods" />
      <div className={classes["page"]}>
        <section className={classes["section"]} aria-label="Sign-in methods">
          <ul className={classes["list"]} aria-label="Sign-in methods">
            {method}
          </ul>
        </section>
      </div>
    </>
  );
}

function Provider({ displayName, runChange, busy }: Required<Pick<Props, "runChange" | "busy">> & { displayName: string }) {
  const { passwordless } = useCurrentUser();
  const { data } = useQuery(linkQuery);
  const linkFailed = `Unable to Link ${displayName}`;

  const { mutate: link, isPending: linking } = useMutation({
    mutationFn: addLink,
    onSuccess: () => toastSuccess(`${displayName} linked`),
    onError: (error) => toastError(linkFailed, messagesOf(error).join(" ")),
  });

  const onReturn = useEffectEvent(() => {
    const response = takeProviderReturn("link");
    if (response?.kind === "response") link(response);
    else if (response) toastError(linkFailed, `${displayName} did not confirm your sign-in. Please try again.`);
  });
  useEffect(() => onReturn(), []);

  async function unlink(): Promise<void> {
    const text = "You'll sign in with your username and password. You lose the roles and groups it gave you.";
    if (!(await confirm({ title: `Unlink ${displayName}?`, text, confirmLabel: "Unlink", destructive: true }))) return;
    await runChange(async () => {
      await removeLink();
      toastSuccess(`${displayName} unlinked`, 1200);
    });
  }

  return (
    <li>
      <IconBuildingCommunity size={20} stroke={1.6} aria-hidden />
      <div className={classes["description"]}>
        {displayName}
        <small>{describe(passwordless === true, data?.linkedTimestamp ?? null)}</small>
      </div>
      {passwordless !== true &&
        data !== undefined &&
        (data.linked ? (
          <Button variant="default" aria-label={`Unlink ${displayName}`} loading={busy} onClick={() => void unlink()}>
            Unlink
          </Button>
        ) : (
          <Button aria-label={`Link ${displayName}`} loading={busy || linking} onClick={() => void runChange(leaveToLink)}>
            Link
          </Button>
        ))}
    </li>
  );
}

function describe(isPasswordless: boolean, linkedTimestamp: string | null): string {
  if (isPasswordless) return "The only way to sign in to your account, which has no password. Set up second factors there.";
  if (linkedTimestamp === null) return "Not linked. Another way to sign in, instead of the password.";
  return `Linked ${localTime(Date.parse(linkedTimestamp))}. Another way to sign in, instead of the password.`;
}
