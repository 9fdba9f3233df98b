import type { Subscription } from "@fairway/contract/subscriptions";
import { pluralize } from "@fairway/contract/counts";
import { IconMail } from "#ui/icons/mail.ts";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { pollInterval } from "#lib/live/live-changes.ts";
import { browserZone } from "#lib/time/time-zone.ts";
import { AlertsTabs } from "#features/search/alerts/alerts-tabs.tsx";
import { QueryState } from "#ui/kit/query-state.tsx";
import { PageHeader } from "#ui/page-header.tsx";
import { useLastShown } from "#ui/use-last-shown.ts";
import DeliveriesDialog from "./deliveries-dialog.tsx";
import { EmailList } from "./email-list.tsx";
import { subscriptionsQuery } from "./queries.ts";
import SubscriptionDialog from "./subscription-dialog.tsx";

/** Tabs are not told of turns that change nothing. */
const refreshMs = 30_000;

/** `/alerts/emails`: boards and searches that come by email. */
export function EmailsPage() {
  const query = useQuery({
    ...subscriptionsQuery,
    staleTime: 0,
    refetchInterval: () => Math.min(pollInterval(refreshMs), refreshMs),
  });
  const { data } = query;
  const [edited, setEdited] = useState<Subscription | null>(null);
  const [followed, setFollowed] = useState<Subscription | null>(null);
  const shownEdited = useLastShown(edited);
  const shownFollowed = useLastShown(followed);
  return (
    <>
      <PageHeader
        title="Emails"
        subtitle={data ? `${pluralize(data.subscriptions.length, "email")} · times in ${browserZone()}` : <>&nbsp;</>}
      />
      <AlertsTabs />
      <QueryState
        query={query}
        loading={{ label: "Loading emails", rowHeight: 64 }}
        failed="The emails could not be loaded"
        empty={{
          title: "No emails yet",
          icon: <IconMail size={24} stroke={1.5} aria-hidden />,
          text:
            data?.sendsEmail === false
              ? "This portal sends no emails."
              : "Boards and searches can come by email, on days of your choice. Open one and choose Send by email … in its actions.",
        }}
        isEmpty={({ subscriptions }) => subscriptions.length === 0}
      >
        {({ subscriptions }) => <EmailList subscriptions={subscriptions} onEdit={setEdited} onDeliveries={setFollowed} />}
      </QueryState>
      {shownEdited && (
        <SubscriptionDialog opened={edited !== null} subject={{ subscription: shownEdited }} onClose={() => setEdited(null)} />
      )}
      {shownFollowed && <DeliveriesDialog opened={followed !== null} subscription={shownFollowed} onClose={() => setFollowed(null)} />}
    </>
  );
}
