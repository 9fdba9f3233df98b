import { Button } from "@mantine/core";
import { IconShieldLock } from "#ui/icons/shield-lock.ts";
import { useQuery } from "@tanstack/react-query";
import { Link, useLocation } from "@tanstack/react-router";
import { methodsQuery } from "#features/account/sign-in-methods/methods-queries.ts";
import { PageHeader } from "#ui/page-header.tsx";
import { QueryState } from "#ui/kit/query-state.tsx";
import { EmptyState } from "#ui/states.tsx";
import { openOverlay } from "../frame/overlays.ts";

/** Shown in place of an administrators' screen if the portal requires a second factor that this session lacks. */
export default function SecondFactorNeeded() {
  return (
    <>
      <PageHeader title="Second Factor Needed" />
      <QueryState
        query={useQuery(methodsQuery)}
        loading={{ label: "Loading your sign-in methods", rows: 3 }}
        failed="Failed to load your sign-in methods"
      >
        {({ authenticator, passkeys }) => <NextStep hasSecondFactor={authenticator !== null || passkeys.length > 0} />}
      </QueryState>
    </>
  );
}

function NextStep({ hasSecondFactor }: { hasSecondFactor: boolean }) {
  const { href } = useLocation();
  const icon = <IconShieldLock size={24} stroke={1.5} aria-hidden />;
  if (hasSecondFactor) {
    return (
      <EmptyState icon={icon} action={<Button onClick={() => openOverlay("sign-in-again")}>Sign In Again</Button>}>
        Administrators need a second factor here. Sign in again with yours to open this screen.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      icon={icon}
      action={
        <Button renderRoot={(props) => <Link {...props} to="/sign-in-methods" search={{ redirect: href }} />}>
          Set Up a Second Factor
        </Button>
      }
    >
      Administrators need a second factor here. Set one up, then come back to this screen.
    </EmptyState>
  );
}
