import { useFailedCopy } from "#lib/text/copy.ts";
import { island } from "../island.tsx";
import { useHasBeen } from "../use-has-been.ts";

const CopyFailedDialog = island(async () => ({ default: (await import("../messages.ts")).CopyFailedDialog }));

/** Hosts the dialog of a copy that the browser refused. Mounted once, by the shell; the dialog is loaded on first use. */
export function CopyFailedHost() {
  const text = useFailedCopy((state) => state.text);
  return useHasBeen(text !== null) && <CopyFailedDialog text={text} />;
}
