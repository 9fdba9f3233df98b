const key = "fairway.session-ended";

/** The next Login page in this tab says why it is there. */
export function noteSessionEnd(): void {
  sessionStorage.setItem(key, "yes");
}

/** Whether a session has just ended in this tab. Asked once per note. */
export function takeSessionEndNote(): boolean {
  const noted = sessionStorage.getItem(key) !== null;
  sessionStorage.removeItem(key);
  return noted;
}
