import { Outlet } from "@tanstack/react-router";
import { Announcer } from "#ui/announcer.tsx";
import { ConfirmHost } from "#ui/confirm.tsx";

/** Everything around a screen. */
export function Frame() {
  return (
    <div style={{ height: "100%", display: "flex" }}>
      <main style={{ flex: 1, minWidth: 0, minHeight: 0, display: "flex", flexDirection: "column" }}>
        <Outlet />
      </main>
      <Announcer />
      <ConfirmHost />
    </div>
  );
}
