import { FeedbackDialog } from "#features/feedback/feedback-dialog.tsx";
import { closeOverlay } from "../frame/overlays.ts";

export default function Feedback({ opened }: { opened: boolean }) {
  return <FeedbackDialog opened={opened} onClose={closeOverlay} />;
}
