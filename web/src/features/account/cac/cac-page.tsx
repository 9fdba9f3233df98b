import type { CacConfiguration, CacStatus } from "@fairway/contract/cac";
import { Button } from "@mantine/core";
import { IconId } from "#ui/icons/id.ts";
import { IconIdOff } from "#ui/icons/id-off.ts";
import { useQuery } from "@tanstack/react-query";
import { Navigate } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { createCardRequest, takeCardReturn } from "#lib/session/card.ts";
import { messagesOf } from "#lib/gateway/gateway-error.ts";
import { localTime } from "#lib/time/local-time.ts";
import { loadUiConfig, usePortal } from "#lib/gateway/portal-settings.ts";
import { useCurrentUser } from "#lib/session/current-session.ts";
import { browserZone } from "#lib/time/time-zone.ts";
import { confirm } from "#ui/dialog/confirm.ts";
import { PageHeader } from "#ui/page-header.tsx";
import { ErrorState, LoadingRows } from "#ui/states.tsx";
import { toastError, toastSuccess } from "#ui/toast/toast.ts";
import classes from "../account.module.css";
import { CacConfirm } from "./cac-confirm.tsx";
import { cacStatusQuery, linkFailed, unlinkCard, useReadCard } from "./cac-queries.ts";

/** Links a CAC to the account through its issuer and the password, or unlinks it. */
export function CacPage() {
  const ui = usePortal((portal) => portal.ui);
  const { data, error, isFetching, refetch } = useQuery(cacStatusQuery);
  useCardReturn();
  // Without a configured issuer the screen does not exist.
  if (ui !== null && ui.cac === null) return <Navigate to="/search" replace />;

  async function retry(): Promise<void> {
    if (ui === null) await loadUiConfig();
    await refetch();
  }

  return (
    <>
      <PageHeader title="Manage CAC" {...(data?.linked === true ? { subtitle: `Times in ${browserZone()}` } : {})} />
      <div className={classes["page"]}>
        {data && ui?.cac && !error ? (
          <Card status={data} configuration={ui.cac} />
        ) : (error || data) && !isFetching ? (
          <ErrorState message="Error loading CAC status." details={error ? messagesOf(error) : []} onRetry={() => void retry()} />
        ) : (
          <LoadingRows label="Loading the CAC status" rows={3} rowHeight={44} />
        )}
      </div>
    </>
  );
}

/** Takes the issuer's response out of the address. */
function useCardReturn(): void {
  useEffect(() => {
    const response = takeCardReturn("link");
    if (response?.kind === "code") useReadCard.setState({ response });
    else if (response) toastError(linkFailed, "The card issuer didn't confirm your CAC. Try again.");
  }, []);
}

function Card({ status, configuration }: { status: CacStatus; configuration: CacConfiguration }) {
  const { preferred_username: username } = useCurrentUser();
  const [busy, setBusy] = useState(false);
  const { response } = useReadCard();

  async function link(): Promise<void> {
    setBusy(true);
    try {
      (await createCardRequest(configuration, "link")).leave();
    } catch (error) {
      toastError(linkFailed, messagesOf(error).join(" "));
      setBusy(false);
    }
  }

  async function unlink(): Promise<void> {
    const text = "You'll sign in with your username and password. You can link the CAC again at any time.";
    if (!(await confirm({ title: "Unlink CAC?", text, confirmLabel: "Unlink" }))) return;
    setBusy(true);
    try {
      await unlinkCard();
      toastSuccess("CAC unlinked", 1200);
    } catch (error) {
      toastError("Unable to Unlink CAC", messagesOf(error).join(" "));
    }
    setBusy(false);
  }

  const { linked, linkedTimestamp } = status;
  const Icon = linked ? IconId : IconIdOff;
  return (
    <section className={classes["section"]} aria-label="CAC status">
      <p className={classes["lead"]}>Link your CAC to sign in without a password. Changing your password unlinks it.</p>
      <ul className={classes["list"]}>
        <li data-one-row>
          <Icon size={20} stroke={1.6} aria-hidden />
          <div className={classes["description"]}>
            <span role="status">{linked ? "Linked" : "Not linked"}</span>
            {linkedTimestamp !== null && <small>Linked {localTime(Date.parse(linkedTimestamp))}</small>}
          </div>
          {linked ? (
            <Button variant="default" loading={busy} onClick={() => void unlink()}>
              Unlink
            </Button>
          ) : (
            <Button loading={busy} onClick={() => void link()}>
              Link
            </Button>
          )}
        </li>
      </ul>
      <CacConfirm response={response} username={username} onSettled={() => useReadCard.setState({ response: null })} />
    </section>
  );
}
