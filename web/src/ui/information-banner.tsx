import type { Banner } from "@fairway/contract/settings";
import { safeColor } from "./theme/safe-color.ts";
import classes from "./ui.module.css";

/** One of the operator's two banners, above and below everything. Renders nothing if none is configured. */
export function InformationBanner({ banner }: { banner: Banner | null }) {
  if (!banner) return null;
  return (
    <div className={classes["banner"]} role="note" style={{ color: safeColor(banner.textColor), background: safeColor(banner.bgColor) }}>
      <span>{banner.text}</span>
    </div>
  );
}
