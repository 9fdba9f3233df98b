const key = "fairway.session-ended";

/** Makes the next Login page in this tab say that the session has ended. */
export function noteSessionEnd(): void {
  sessionStorage.setItem(key, "yes");
}

/** Whether a session has just ended in this tab. Clears the note. */
export function takeSessionEndNote(): boolean {
  const hasEnded = sessionStorage.getItem(key) !== null;
  sessionStorage.removeItem(key);
  return hasEnded;
}
