import { useQuery } from "@tanstack/react-query";
import { browserZone } from "#lib/time/time-zone.ts";
import { UsersTabs } from "#parts/users-tabs/users-tabs.tsx";
import { PageHeader } from "#ui/page-header.tsx";
import { ReceivedFeedbackList } from "./received-feedback.tsx";
import { receivedQuery } from "./received-query.ts";

/** The administrators' screen for submitted feedback. */
export function FeedbackAdminPage() {
  const { data } = useQuery(receivedQuery);
  return (
    <>
      <PageHeader title="Feedback" {...(data && data.length > 0 ? { subtitle: `Times in ${browserZone()}` } : {})} />
      <UsersTabs />
      <ReceivedFeedbackList />
    </>
  );
}
