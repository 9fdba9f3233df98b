import { island } from "#ui/island.tsx";

// It loads CodeMirror.
export const AddColumnDialog = island(async () => ({ default: (await import("./add-column-dialog.tsx")).AddColumnDialog }), {
  isLarge: true,
});
