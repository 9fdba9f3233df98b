import { lazyPart } from "#ui/lazy-part.tsx";

// Loads on first use: mount it when first opened, and keep it mounted.
export const AddToBoardDialog = lazyPart(() => import("./add-to-board-dialog.tsx"));
