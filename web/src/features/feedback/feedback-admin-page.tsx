import { useQuery } from "@tanstack/react-query";
import { localZone } from "#lib/time/local-time.ts";
import { UsersTabs } from "#parts/users-tabs/users-tabs.tsx";
import { PageHeader } from "#ui/page-header.tsx";
import { ReceivedFeedbackList } from "./received-feedback.tsx";
import { receivedQuery } from "./received-query.ts";

/** The administrators' screen for submitted feedback. */
export function FeedbackAdminPage() {
  const { data } = useQuery(receivedQuery);
  return (
    <>
      <PageHeader title="Feedback" {...(data && data.length > 0 ? { subtitle: `Times in ${localZone()}` } : {})} />
      <UsersTabs />
      <ReceivedFeedbackList />
    </>
  );
}
