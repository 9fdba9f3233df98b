import { IconMenu2 } from "#ui/icons/menu-2.ts";
import { IconSearch } from "#ui/icons/search.ts";
import { defaultTitle, usePortal } from "#lib/gateway/portal-settings.ts";
import { useUnreadNotifications } from "#lib/live/unread-notifications.ts";
import { BrandMark } from "#ui/brand-mark.tsx";
import { IconButton } from "#ui/icon-button.tsx";
import { openOverlay } from "./overlays.ts";
import { setDrawer, usePanel } from "./panel-state.ts";
import classes from "./frame.module.css";

/** The top bar on a phone: menu, title, palette. */
export function TopBar({ inert }: { inert: boolean }) {
  const title = usePortal(({ ui }) => ui?.appTitle ?? "");
  const drawer = usePanel((state) => state.drawer);
  const hasUnread = useUnreadNotifications(({ unread }) => unread > 0);
  return (
    <header className={classes["topBar"]} inert={inert}>
      <IconButton label="Open menu" className={classes["topBarMenu"]} aria-expanded={drawer} onClick={() => setDrawer(true)}>
        <IconMenu2 size={16} aria-hidden />
        {hasUnread && <span className={classes["dot"]} aria-hidden />}
      </IconButton>
      <BrandMark size={24} />
      <strong>{title === "" ? defaultTitle : title}</strong>
      <IconButton label="Search everything" data-tour="everything" onClick={() => openOverlay("palette")}>
        <IconSearch size={16} aria-hidden />
      </IconButton>
    </header>
  );
}
