import { Menu } from "@mantine/core";
import { IconHistory } from "@tabler/icons-react";
import { ButtonMenu } from "#ui/button-menu.tsx";
import type { LazyMenuProps } from "#ui/lazy-menu.ts";
import type { SchemaDialog } from "../descriptions/schema-dialog.ts";

interface Props extends LazyMenuProps {
  onDialog: (dialog: SchemaDialog) => void;
}

/** The menu 'More' of a schema. */
export default function SchemaMenu({ onDialog, ...menu }: Props) {
  return (
    <ButtonMenu {...menu} position="bottom-end">
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconHistory size={16} aria-hidden />} onClick={() => onDialog("history")}>
          History of Community Descriptions
        </Menu.Item>
      </Menu.Dropdown>
    </ButtonMenu>
  );
}
