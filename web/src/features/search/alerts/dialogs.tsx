import { lazyPart } from "#ui/lazy-part.tsx";

// These load on first use: mount them when first opened, and keep them mounted.
export const AlertDialog = lazyPart(() => import("./alert-dialog.tsx"));
export const AlertHistoryDialog = lazyPart(() => import("./history-dialog.tsx"));
