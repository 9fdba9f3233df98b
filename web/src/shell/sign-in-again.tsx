import { SignIn } from "#features/sign-in/sign-in.tsx";
import { forgetSecondFactorNeeded } from "#lib/second-factor-needed.ts";
import { currentSession, useCurrentUser } from "#lib/session/current-session.ts";
import { Dialog } from "#ui/dialog.tsx";
import { closeOverlay } from "./overlays.ts";

/** The login form over the page: nothing on it is lost. */
export default function SignInAgain({ opened }: { opened: boolean }) {
  const { preferred_username: username } = useCurrentUser();
  return (
    <Dialog opened={opened} onClose={closeOverlay} title="Sign in again" zIndex={320}>
      <SignIn
        username={username}
        heading={false}
        onSignedIn={(wrapper) => {
          const taken = currentSession().signIn(wrapper, { leaving: false });
          if (taken) {
            closeOverlay();
            forgetSecondFactorNeeded();
          }
          return taken;
        }}
      />
    </Dialog>
  );
}
