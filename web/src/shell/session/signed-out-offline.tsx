import classes from "./signed-out-offline.module.css";

/** Replaces the whole application after a logout without a network. */
export function SignedOutOffline() {
  return (
    <main className={classes["page"]}>
      <h1>You are signed out</h1>
      <p role="status">You are offline. The login page opens when you're back online.</p>
    </main>
  );
}
