import type { OwnSession } from "@fairway/contract/sessions";
import { Button } from "@mantine/core";
import { IconDeviceDesktop } from "#ui/icons/device-desktop.ts";
import { IconDeviceMobile } from "#ui/icons/device-mobile.ts";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { messagesOf } from "#lib/gateway/gateway-error.ts";
import { localTime } from "#lib/time/local-time.ts";
import { confirm } from "#ui/dialog/confirm.ts";
import { QueryState } from "#ui/kit/query-state.tsx";
import { toastError, toastSuccess } from "#ui/toast/toast.ts";
import classes from "../account.module.css";
import { clientText, isHandheld } from "../api-keys/clients-text.ts";
import { sessionsQuery, signOutElsewhere } from "../queries.ts";

const everywhere = "everywhere";

/** More are shown on request. */
const initiallyShown = 8;

/** The user's sessions. */
export function OwnSessions() {
  const query = useQuery(sessionsQuery);
  const { data } = query;
  const [ending, setEnding] = useState<string | null>(null);
  const [showsAll, setShowsAll] = useState(false);
  const others = data?.filter(({ isCurrent }) => !isCurrent) ?? [];

  async function end(id: string | null): Promise<void> {
    setEnding(id ?? everywhere);
    try {
      await signOutElsewhere(id);
      toastSuccess("Signed out", 1200);
    } catch (cause) {
      toastError("Sign Out Failed", messagesOf(cause).join(" "));
    }
    setEnding(null);
  }

  async function endOthers(): Promise<void> {
    const confirmed = await confirm({
      title: "Sign Out Everywhere Else?",
      text: `${others.length === 1 ? "The other session ends" : `${others.length} other sessions end`} immediately. This one stays open.`,
      confirmLabel: "Sign Out",
    });
    if (confirmed) await end(null);
  }

  return (
    <section className={classes["section"]} aria-labelledby="profile-sessions">
      <div className={classes["head"]}>
        <h2 id="profile-sessions">Sessions</h2>
        {others.length > 0 && (
          <Button variant="default" loading={ending === everywhere} onClick={() => void endOthers()}>
            Sign Out Everywhere Else
          </Button>
        )}
      </div>
      <QueryState query={query} loading={{ label: "Loading your sessions", rows: 2, rowHeight: 56 }} failed="Failed to load your sessions">
        {(loaded) => (
          <>
            <ul className={classes["list"]} aria-labelledby="profile-sessions">
              {loaded.slice(0, showsAll ? undefined : initiallyShown).map((session, index) => (
                <Session
                  key={session.id}
                  position={index + 1}
                  session={session}
                  ending={ending === session.id}
                  onEnd={() => void end(session.id)}
                />
              ))}
            </ul>
            {!showsAll && loaded.length > initiallyShown && (
              <Button variant="subtle" mt="sm" onClick={() => setShowsAll(true)}>
                Show All {loaded.length}
              </Button>
            )}
          </>
        )}
      </QueryState>
    </section>
  );
}

interface SessionProps {
  /** Position in the list, from 1: two sessions may be alike otherwise. */
  position: number;
  session: OwnSession;
  ending: boolean;
  onEnd: () => void;
}

function Session({ position, session, ending, onEnd }: SessionProps) {
  const { client, ipAddress, isCurrent, signedInMs, lastUsedMs } = session;
  const name = clientText(client);
  const Icon = isHandheld(client) ? IconDeviceMobile : IconDeviceDesktop;
  return (
    <li>
      <Icon size={20} stroke={1.6} aria-hidden />
      <div className={classes["description"]}>
        {name}
        {isCurrent && <span className={classes["mark"]}>This session</span>}
        <small>
          {ipAddress === "" ? "Unknown address" : ipAddress} · <span>since {localTime(signedInMs)}</span> ·{" "}
          <span>last used {localTime(lastUsedMs)}</span>
        </small>
      </div>
      {!isCurrent && (
        <Button variant="default" loading={ending} aria-label={`Sign Out session ${position}: ${name}, ${ipAddress}`} onClick={onEnd}>
          Sign Out
        </Button>
      )}
    </li>
  );
}
