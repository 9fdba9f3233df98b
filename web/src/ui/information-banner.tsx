import type { Banner } from "@fairway/contract/settings";
import { safeColour } from "./safe-colour.ts";
import classes from "./information-banner.module.css";

/** One of the two lines, above and below everything, in the operator's words and colours. Nothing where none is configured. */
export function InformationBanner({ banner }: { banner: Banner | null }) {
  if (!banner) return null;
  return (
    <div className={classes["banner"]} role="note" style={{ color: safeColour(banner.textColor), background: safeColour(banner.bgColor) }}>
      <span>{banner.text}</span>
    </div>
  );
}
