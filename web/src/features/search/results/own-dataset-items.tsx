import type { OwnDataset } from "@fairway/contract/own-datasets";
import type { Menu } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { chooseFiles } from "#parts/add-data/choose-files.ts";
import { useDataDoor } from "#parts/add-data/data-door.ts";
import { useStartImport } from "#parts/add-data/start-import.ts";
import { IconFilePlus } from "#ui/icons/file-plus.ts";
import { IconFileUpload } from "#ui/icons/file-upload.ts";
import { IconSettings } from "#ui/icons/settings.ts";
import { IconShare } from "#ui/icons/share.ts";

interface Props {
  own: OwnDataset;
  /** Of the menu that they are in. */
  item: typeof Menu.Item;
  divider: typeof Menu.Divider;
  onShare: () => void;
}

const icon = { size: 16, "aria-hidden": true } as const;

/** Entries of a menu for the dataset itself: those of its page that the user may. */
export function OwnDatasetItems({ own: { can, datasetCategory, datasetId }, item: Item, divider: Divider, onShare }: Props) {
  const door = useDataDoor();
  const { ofFiles } = useStartImport();
  if (can === "view") return null;
  const choose = (mode: "append" | "replace") => chooseFiles((files) => ofFiles(files, { into: { datasetCategory, datasetId, mode } }));
  return (
    <>
      <Divider />
      {door.kind === "open" && (
        <>
          <Item leftSection={<IconFilePlus {...icon} />} onClick={() => choose("append")}>
            Append Rows
          </Item>
          <Item leftSection={<IconFileUpload {...icon} />} onClick={() => choose("replace")}>
            Replace Rows
          </Item>
        </>
      )}
      {can === "own" && (
        <Item leftSection={<IconShare {...icon} />} onClick={onShare}>
          Share Dataset
        </Item>
      )}
      <Item
        leftSection={<IconSettings {...icon} />}
        renderRoot={(props) => (
          <Link
            to="/data-catalog/$datasetCategory/$datasetId"
            params={{ datasetCategory, datasetId }}
            search={{ form: "settings" }}
            {...props}
          />
        )}
      >
        Dataset Settings
      </Item>
    </>
  );
}
