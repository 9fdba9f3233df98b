import { SignIn } from "#features/sign-in/sign-in.tsx";
import { leaveToAuthenticateAgain } from "#lib/session/provider.ts";
import { forgetSecondFactorNeeded } from "#lib/session/second-factor-needed.ts";
import { currentSession, useCurrentUser } from "#lib/session/current-session.ts";
import { storeDrafts } from "#lib/browser/drafts.ts";
import { forgetUnsavedForms } from "#lib/browser/unsaved-changes.ts";
import { Dialog } from "#ui/dialog/dialog.tsx";
import { closeOverlay } from "../frame/overlays.ts";

/** The login form over the current page, which keeps its state. */
export default function SignInAgain({ opened }: { opened: boolean }) {
  const { preferred_username: username } = useCurrentUser();
  return (
    <Dialog opened={opened} onClose={closeOverlay} title="Sign in again" zIndex={320}>
      <SignIn
        username={username}
        heading={false}
        leaveForProvider={() =>
          leaveToAuthenticateAgain(() => {
            storeDrafts();
            forgetUnsavedForms();
          })
        }
        onSignedIn={(wrapper) => {
          const isSignedIn = currentSession().signIn(wrapper, { leaving: false });
          if (isSignedIn) {
            closeOverlay();
            forgetSecondFactorNeeded();
          }
          return isSignedIn;
        }}
      />
    </Dialog>
  );
}
