import { localZone } from "#lib/local-time.ts";
import { UsersTabs } from "#parts/users-tabs/users-tabs.tsx";
import { PageHeader } from "#ui/page-header.tsx";
import { ReceivedFeedbackList } from "./received-feedback.tsx";

/** Where administrators work through what people have submitted. */
export function FeedbackAdminPage() {
  return (
    <>
      <PageHeader title="Feedback" subtitle={`Times in ${localZone()}`} />
      <UsersTabs />
      <ReceivedFeedbackList />
    </>
  );
}
