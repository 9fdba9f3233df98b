import { Tabs } from "@mantine/core";
import { useState } from "react";
import { Dialog } from "#ui/dialog/dialog.tsx";
import { FeedbackForm } from "./feedback-form.tsx";
import { OwnFeedbackList } from "./own-feedback.tsx";
import type { FeedbackFormStatus } from "./feedback-rules.ts";
import classes from "./feedback.module.css";

interface Props {
  opened: boolean;
  onClose: () => void;
}

/** Submits feedback and shows the status of the user's earlier feedback. Each opening starts fresh. */
export function FeedbackDialog({ opened, onClose }: Props) {
  const [status, setStatus] = useState<FeedbackFormStatus>("pending");
  const close = () => {
    if (status === "submiting") return;
    onClose();
    setStatus("pending");
  };
  return (
    <Dialog
      opened={opened}
      onClose={close}
      title="Submit Feedback"
      size={600}
      fillsPhone
      withCloseButton={status === "pending" || status === "error"}
      closeOnClickOutside={false}
    >
      <Body status={status} onStatus={setStatus} onClose={close} />
    </Dialog>
  );
}

interface BodyProps {
  status: FeedbackFormStatus;
  onStatus: (status: FeedbackFormStatus) => void;
  onClose: () => void;
}

function Body(props: BodyProps) {
  const [tab, setTab] = useState<string | null>("new");
  return (
    <Tabs value={tab} onChange={setTab} keepMounted className={classes["tabs"] ?? ""}>
      <Tabs.List>
        <Tabs.Tab value="new">New feedback</Tabs.Tab>
        <Tabs.Tab value="own">Your feedback</Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value="new" pt="lg" className={classes["panel"] ?? ""}>
        <FeedbackForm {...props} />
      </Tabs.Panel>
      <Tabs.Panel value="own" pt="lg" className={classes["panel"] ?? ""}>
        {tab === "own" && <OwnFeedbackList onClose={props.onClose} />}
      </Tabs.Panel>
    </Tabs>
  );
}
