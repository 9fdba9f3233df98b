import { useState } from "react";
import { useLive } from "#lib/live/live-changes.ts";
import NewVersionBar from "./new-version-bar.tsx";

const triedKey = "fairway.build-reloaded-for";

/** The build that the gateway put into this page; null where it did not. */
function pageBuild(): string | null {
  const build = document.querySelector<HTMLMetaElement>("meta[name=fairway-build]")?.content ?? "";
  return /^[0-9a-f]+$/.test(build) ? build : null;
}

/** Offers to reload the page once the gateway serves another version of it. Never reloads by itself. */
export function NewVersion() {
  const build = useLive((state) => state.build);
  const [current] = useState(pageBuild);
  const [declined, setDeclined] = useState<string | null>(null);
  // While an upgrade is under way, a reload may be answered by a gateway of the version before.
  const isNew = build !== null && current !== null && build !== current && build !== declined && build !== sessionStorage.getItem(triedKey);
  if (!isNew) return null;
  return <NewVersionBar onReload={() => sessionStorage.setItem(triedKey, build)} onLater={() => setDeclined(build)} />;
}
