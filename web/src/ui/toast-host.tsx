import { lazyPart } from "./lazy-part.tsx";
import { useToasts } from "./toast.ts";

const Toasts = lazyPart(async () => ({ default: (await import("./toasts.tsx")).Toasts }));

/** Hosts the toasts. Mounted once, by the shell. */
export function ToastHost() {
  const used = useToasts((state) => state.used);
  return used && <Toasts />;
}
