import { IconDots } from "#ui/icons/dots.ts";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { type ComponentType, useState } from "react";
import { IconButton } from "#ui/icon-button.tsx";
import { island } from "#ui/island.tsx";
import { useMenuButton } from "#ui/menu-button.ts";
import type { SchemaDialog, SchemaDialogProps } from "../descriptions/schema-dialog.ts";
import AnnounceDialog from "./announce-dialog.tsx";
import ApiExampleDialog from "./api-example-dialog.tsx";
import SchemaMenu from "./schema-menu.tsx";

/** The dialogs of the menu, by their name in the address: `?dialog=history`. */
const dialogs: Record<SchemaDialog, ComponentType<SchemaDialogProps>> = {
  announce: AnnounceDialog,
  api: ApiExampleDialog,
  // With the library that compares texts.
  history: island(() => import("../descriptions/history-dialog.tsx")),
  // With the library that reads CSV.
  upload: island(() => import("../descriptions/upload-dialog.tsx")),
};

/** The button 'More' of a schema: its menu, and the dialogs that the menu opens. */
export function SchemaMore({ schema, etag }: Pick<SchemaDialogProps, "schema" | "etag">) {
  const [isMenuOpen, setMenuOpen] = useState(false);
  const { buttonProps, menuProps } = useMenuButton(isMenuOpen, setMenuOpen);
  const [dialog, setDialog] = useAddressedDialog();
  const [used, setUsed] = useState<readonly SchemaDialog[]>([]);
  if (dialog !== null && !used.includes(dialog)) setUsed([...used, dialog]);
  return (
    <>
      <IconButton label="More" {...buttonProps}>
        <IconDots size={16} aria-hidden />
      </IconButton>
      {menuProps && <SchemaMenu {...menuProps} schema={schema} onDialog={setDialog} />}
      {used.map((name) => {
        const Dialog = dialogs[name];
        return <Dialog key={name} schema={schema} etag={etag} opened={dialog === name} onClose={() => setDialog(null)} />;
      })}
    </>
  );
}

const isDialog = (name: unknown): name is SchemaDialog => typeof name === "string" && Object.hasOwn(dialogs, name);

/** The open dialog, which the address holds, so that links and Back work. */
function useAddressedDialog(): [SchemaDialog | null, (dialog: SchemaDialog | null) => void] {
  const { dialog }: Record<string, unknown> = useSearch({ strict: false });
  const navigate = useNavigate();
  const setDialog = (next: SchemaDialog | null) => {
    const search = (current: Record<string, unknown>) => {
      const { dialog: _, revision: __, ...others } = current;
      return next === null ? others : { ...others, dialog: next };
    };
    void navigate({ to: ".", search, replace: next === null });
  };
  return [isDialog(dialog) ? dialog : null, setDialog];
}
