import { currentSession } from "#lib/session/current-session.ts";
import { confirm } from "#ui/confirm.ts";

/** Asks, then leaves. */
export async function logout(): Promise<void> {
  const sure = await confirm({
    title: "Logout?",
    text: "Are you sure you want to logout? Any open searches will be lost.",
    confirmLabel: "Logout",
  });
  if (sure) await currentSession().signOut();
}
