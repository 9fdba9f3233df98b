import { filesets } from "@fairway/contract/filesets";
import { Button, Modal } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import { urlOf } from "#lib/call.ts";
import { usePortalSettings } from "#lib/portal-settings.ts";
import { useDialog } from "#ui/open-dialogs.ts";
import { EmptyState } from "#ui/states.tsx";
import { closeHelpFile, type HelpFile } from "./help-file.ts";

/** A supplemental help file over the whole screen. */
export default function HelpFilePreview({ file }: { file: HelpFile }) {
  const { helpFilesetId } = usePortalSettings();
  const downloadUrl = urlOf(filesets.download, { id: helpFilesetId }, { file: file.name });
  return (
    <Modal {...useDialog({ opened: true, onClose: closeHelpFile, zIndex: 250 })} title={file.display} fullScreen>
      <EmptyState
        action={
          <Button component="a" href={downloadUrl} variant="default" leftSection={<IconDownload size={16} aria-hidden />}>
            Download
          </Button>
        }
      >
        {file.name}
      </EmptyState>
    </Modal>
  );
}
