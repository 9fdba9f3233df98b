import type { UserClaims } from "@fairway/contract/auth";
import { useSyncExternalStore } from "react";
import type { Session, SessionState } from "./session.ts";

let current: Session | null = null;

/** Set once, before anything is rendered. */
export function setCurrentSession(session: Session): void {
  current = session;
}

/** The session of this tab. */
export function currentSession(): Session {
  if (!current) throw new Error("The session is used before it was opened.");
  return current;
}

const useSession = (): SessionState =>
  useSyncExternalStore(
    (changed) => currentSession().subscribe(changed),
    () => currentSession().getState(),
  );

/** Whose screen this is. Everything but Login is shown to somebody signed in. */
export function useCurrentUser(): UserClaims {
  const { user } = useSession();
  if (!user) throw new Error("A screen is shown to nobody.");
  return user;
}

/** True while refreshes fail and the session still holds. */
export const useRenewalFailing = (): boolean => useSession().failing;
