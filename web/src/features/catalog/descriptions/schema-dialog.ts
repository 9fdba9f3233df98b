import type { DatasetSchema } from "@fairway/contract/datasets";

/** The dialogs that the menu of a schema opens, by their names in the address. */
export type SchemaDialog = "announce" | "api" | "history" | "upload";

/** Props of a dialog that the menu of a schema opens. */
export interface SchemaDialogProps {
  schema: DatasetSchema;
  /** Of the schema. */
  etag: string;
  opened: boolean;
  onClose: () => void;
}
