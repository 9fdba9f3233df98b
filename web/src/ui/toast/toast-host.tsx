import { island } from "../island.tsx";
import { useToasts } from "./toast.ts";

const Toasts = island(async () => ({ default: (await import("../messages.ts")).Toasts }));

/** Hosts the toasts. Mounted once, by the shell. */
export function ToastHost() {
  const used = useToasts((state) => state.used);
  return used && <Toasts />;
}
