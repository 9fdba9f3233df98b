import { ButtonMenu } from "#ui/button-menu.tsx";
import type { MenuOfButtonProps } from "#ui/menu-button.ts";
import type { DraftMode } from "./description-draft.ts";

/** Chooses which layer of descriptions to edit. */
export default function EditMenu({ onEdit, ...menu }: MenuOfButtonProps & { onEdit: (mode: DraftMode) => void }) {
  return (
    <ButtonMenu {...menu} position="bottom-end">
      {(Menu) => (
        <Menu.Dropdown>
          <Menu.Item onClick={() => onEdit("community")}>Community Descriptions</Menu.Item>
          <Menu.Item onClick={() => onEdit("private")}>Private Descriptions</Menu.Item>
        </Menu.Dropdown>
      )}
    </ButtonMenu>
  );
}
