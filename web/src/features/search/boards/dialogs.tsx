import { lazyPart } from "#ui/lazy-part.tsx";

// These load on first use: mount them when first opened, and keep them mounted.
export const BoardFormDialog = lazyPart(() => import("./board-form-dialog.tsx"));
export const RevisionsDialog = lazyPart(() => import("./revisions-dialog.tsx"));
export const AddPanelDialog = lazyPart(() => import("./add-panel-dialog.tsx"));
export const PanelDialog = lazyPart(() => import("./panel-dialog.tsx"));
