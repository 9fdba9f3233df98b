import { passesRole } from "@fairway/contract/access";
import type { DatasetSchema } from "@fairway/contract/datasets";
import { descriptions } from "@fairway/contract/descriptions";
import { IconCode } from "#ui/icons/code.ts";
import { IconDownload } from "#ui/icons/download.ts";
import { IconHistory } from "#ui/icons/history.ts";
import { IconLink } from "#ui/icons/link.ts";
import { IconSpeakerphone } from "#ui/icons/speakerphone.ts";
import { IconTerminal2 } from "#ui/icons/terminal-2.ts";
import { IconUpload } from "#ui/icons/upload.ts";
import { Link } from "@tanstack/react-router";
import { urlOf } from "#lib/gateway/call.ts";
import { copyText } from "#lib/text/copy.ts";
import { useIsScreenDisabled } from "#lib/screens/disabled-screens.ts";
import { startDownload } from "#lib/browser/download.ts";
import { useCurrentUser } from "#lib/session/current-session.ts";
import { ButtonMenu } from "#ui/button-menu.tsx";
import type { MenuOfButtonProps } from "#ui/menu-button.ts";
import { toastSuccess } from "#ui/toast/toast.ts";
import type { SchemaDialog } from "../descriptions/schema-dialog.ts";
import { schemaUrl } from "../facts/schema-url.ts";

interface Props extends MenuOfButtonProps {
  schema: DatasetSchema;
  onDialog: (dialog: SchemaDialog) => void;
}

/** The menu 'More' of a schema. */
export default function SchemaMenu({ schema, onDialog, ...menu }: Props) {
  const { datasetCategory: category, datasetId } = schema.dataset;
  const { roles } = useCurrentUser();
  const isUseDisabled = useIsScreenDisabled("DatasetUse");
  const copyLink = async () => {
    if (await copyText(schemaUrl(schema.dataset))) toastSuccess("Copied", 1200);
  };
  return (
    <ButtonMenu {...menu} position="bottom-end">
      {(Menu) => (
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconHistory size={16} aria-hidden />} onClick={() => onDialog("history")}>
            History of Community Descriptions
          </Menu.Item>
          <Menu.Item
            leftSection={<IconDownload size={16} aria-hidden />}
            onClick={() => startDownload(urlOf(descriptions.csv, { category, datasetId }, { bom: "true" }))}
          >
            Download Descriptions as CSV
          </Menu.Item>
          <Menu.Item leftSection={<IconUpload size={16} aria-hidden />} onClick={() => onDialog("upload")}>
            Upload Descriptions from CSV
          </Menu.Item>
          <Menu.Item leftSection={<IconCode size={16} aria-hidden />} onClick={() => onDialog("api")}>
            API Example
          </Menu.Item>
          {!isUseDisabled && (
            <Menu.Item
              leftSection={<IconTerminal2 size={16} aria-hidden />}
              renderRoot={(props) => <Link to="/data-catalog/$datasetCategory/$datasetId/use" params={schema.dataset} {...props} />}
            >
              Use It Elsewhere
            </Menu.Item>
          )}
          <Menu.Item leftSection={<IconLink size={16} aria-hidden />} onClick={() => void copyLink()}>
            Copy Link
          </Menu.Item>
          {passesRole(roles, "admin") && (
            <Menu.Item leftSection={<IconSpeakerphone size={16} aria-hidden />} onClick={() => onDialog("announce")}>
              Announce…
            </Menu.Item>
          )}
        </Menu.Dropdown>
      )}
    </ButtonMenu>
  );
}
