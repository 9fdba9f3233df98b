import type { UserClaims } from "@fairway/contract/auth";
import { useSyncExternalStore } from "react";
import type { Session, SessionState } from "./session.ts";

let current: Session | null = null;

/** Called once, before anything is rendered. */
export function setCurrentSession(session: Session): void {
  current = session;
}

/** The session of this tab. */
export function currentSession(): Session {
  if (!current) throw new Error("The session was used before it was opened.");
  return current;
}

const useSession = (): SessionState =>
  useSyncExternalStore(
    (onChange) => currentSession().subscribe(onChange),
    () => currentSession().getState(),
  );

/** The signed-in user. Every screen except Login requires one. */
export function useCurrentUser(): UserClaims {
  const { user } = useSession();
  if (!user) throw new Error("A screen was rendered without a signed-in user.");
  return user;
}

/** True while renewals fail but the session is still valid. */
export const useRenewalFailing = (): boolean => useSession().failing;
