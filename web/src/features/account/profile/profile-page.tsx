import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { browserZone } from "#lib/time/time-zone.ts";
import { PageHeader } from "#ui/page-header.tsx";
import { QueryState } from "#ui/kit/query-state.tsx";
import classes from "../account.module.css";
import { ProfileForm } from "./profile-form.tsx";
import { OwnSecurityEvents } from "./profile-security.tsx";
import { OwnSessions } from "./profile-sessions.tsx";
import { OwnSignIns } from "./profile-sign-ins.tsx";
import { profileQuery } from "../queries.ts";

/** The user's profile: name and email, roles, sessions and recent sign-ins. */
export function ProfilePage() {
  const query = useQuery(profileQuery);
  return (
    <>
      <PageHeader title="Profile" subtitle={`Times in ${browserZone()}`} />
      <div className={classes["page"]}>
        <QueryState query={query} loading={{ label: "Loading the profile", rows: 6, rowHeight: 44 }} failed="Failed to load the profile">
          {(data) => (
            <>
              <ProfileForm profile={data} />
              <Roles roles={data.roles} />
            </>
          )}
        </QueryState>
        <section className={classes["section"]} aria-labelledby="profile-sign-in-methods">
          <div className={classes["head"]}>
            <h2 id="profile-sign-in-methods">Sign-in methods</h2>
            <Button variant="default" component={Link} to="/sign-in-methods">
              Manage Sign-in Methods
            </Button>
          </div>
          <p className={classes["lead"]}>Your password, and an authenticator app or passkeys if you add them.</p>
        </section>
        <OwnSessions />
        <OwnSignIns />
        <OwnSecurityEvents />
      </div>
    </>
  );
}

function Roles({ roles }: { roles: readonly string[] }) {
  return (
    <section className={classes["section"]} aria-labelledby="profile-roles">
      <h2 id="profile-roles">Roles</h2>
      <p className={classes["lead"]}>What you can see and do. Ask an administrator to change this.</p>
      {roles.length === 0 ? (
        <p className={classes["hint"]}>You have no roles. You see what every signed-in user sees.</p>
      ) : (
        <ul className={classes["roles"]} aria-labelledby="profile-roles">
          {roles.map((role) => (
            <li key={role}>{role}</li>
          ))}
        </ul>
      )}
    </section>
  );
}
