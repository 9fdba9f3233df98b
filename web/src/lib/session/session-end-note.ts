const key = "fairway.session-ended";

/** Makes the next Login page in this tab say that the session has ended. A reason in words that was noted before is kept. */
export function noteSessionEnd(reason = ""): void {
  sessionStorage.setItem(key, reason || (sessionStorage.getItem(key) ?? ""));
}

/** Why a session has just ended in this tab; empty without a particular reason, null if none has. Clears the note. */
export function takeSessionEndNote(): string | null {
  const note = sessionStorage.getItem(key);
  sessionStorage.removeItem(key);
  return note;
}
