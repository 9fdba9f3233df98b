import type { ComponentProps } from "react";
import { Dialog } from "#ui/dialog/dialog.tsx";
import { GraphsHeader } from "./header-actions.tsx";
import { GraphsView } from "./islands.tsx";
import classes from "./graphs.module.css";

interface Props extends Omit<ComponentProps<typeof GraphsView>, "onNew"> {
  opened: boolean;
  onSummarize: () => void;
  onClose: () => void;
}

/** The summaries of a search whose dataset has no graphs view, over its results. */
export function SummariesDialog({ opened, onSummarize, onClose, ...view }: Props) {
  const { record, state, onSummary } = view;
  const close = () => {
    onSummary(null);
    onClose();
  };
  return (
    <Dialog
      opened={opened}
      onClose={close}
      title={`Summaries of ${record.datasetDescription.datasetId}`}
      size={1240}
      fillsPhone
      padding={0}
      classNames={{ header: classes["dialogHead"] ?? "", content: classes["dialog"] ?? "", body: classes["dialogBody"] ?? "" }}
    >
      <div className={classes["dialogActions"]}>
        <GraphsHeader
          onTemplates={() => state.show({ kind: "templates", back: state.panel })}
          onNew={undefined}
          onSummarize={onSummarize}
        />
      </div>
      <GraphsView {...view} onNew={undefined} />
    </Dialog>
  );
}
