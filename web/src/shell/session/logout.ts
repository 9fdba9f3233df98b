import { currentSession } from "#lib/session/current-session.ts";
import { confirm } from "#ui/dialog/confirm.ts";

/** Signs out after a confirmation. */
export async function logout(): Promise<void> {
  const isConfirmed = await confirm({
    title: "Logout?",
    text: "Are you sure you want to logout? Any open searches will be lost.",
    confirmLabel: "Logout",
  });
  if (isConfirmed) await currentSession().signOut();
}
