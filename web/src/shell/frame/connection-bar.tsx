import { IconWifiOff } from "#ui/icons/wifi-off.ts";
import { useEffect } from "react";
import { type Connection, onReconnected, useConnection } from "#lib/gateway/connection.ts";
import { announce } from "#ui/announcer.tsx";
import classes from "./frame.module.css";

const texts: Record<Exclude<Connection, "online">, string> = {
  offline: "You are offline. What you typed is kept, and everything works again when you're back online.",
  unreachable: "The server can't be reached. Trying again every few seconds.",
};

/** Shown while there is no connection. */
export function ConnectionBar() {
  const { connection } = useConnection();
  useEffect(() => {
    if (connection !== "online") announce(texts[connection]);
  }, [connection]);
  useEffect(() => onReconnected(() => announce("You are online again.")), []);
  if (connection === "online") return null;
  return (
    <section aria-label="Connection" className={classes["bar"]}>
      <IconWifiOff size={16} aria-hidden />
      <p>{texts[connection]}</p>
    </section>
  );
}
