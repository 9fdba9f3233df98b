import { useState } from "react";
import { useFailedCopy } from "#lib/copy.ts";
import { lazyPart } from "./lazy-part.tsx";

const CopyFailedDialog = lazyPart(() => import("./copy-failed-dialog.tsx"));

/** Hosts the dialog of a copy that the browser refused. Mounted once, by the shell; the dialog is loaded on first use. */
export function CopyFailedHost() {
  const text = useFailedCopy((state) => state.text);
  const [loaded, setLoaded] = useState(false);
  if (text !== null && !loaded) setLoaded(true);
  return loaded && <CopyFailedDialog text={text} />;
}
