import type { Subscription } from "@fairway/contract/subscriptions";
import { Button } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { localTime } from "#lib/time/local-time.ts";
import { browserZone } from "#lib/time/time-zone.ts";
import { Dialog } from "#ui/dialog/dialog.tsx";
import { QueryState } from "#ui/kit/query-state.tsx";
import { deliveriesQuery } from "./queries.ts";
import { deliveryText } from "./subscription-text.ts";
import classes from "#features/search/alerts/alerts.module.css";

interface Props {
  opened: boolean;
  subscription: Subscription;
  onClose: () => void;
}

/** The deliveries of a subscription, newest first. */
export default function DeliveriesDialog({ opened, subscription, onClose }: Props) {
  return (
    <Dialog opened={opened} onClose={onClose} title={`Deliveries of ${subscription.name}`}>
      <Deliveries key={subscription.id} id={subscription.id} />
    </Dialog>
  );
}

function Deliveries({ id }: { id: string }) {
  const query = useInfiniteQuery(deliveriesQuery(id));
  const { hasNextPage, fetchNextPage, isFetchingNextPage } = query;
  const deliveries = query.data?.pages.flatMap((page) => page.deliveries) ?? [];
  return (
    <QueryState
      query={query}
      loading={{ label: "Loading the deliveries", rows: 5, rowHeight: 44 }}
      failed="The deliveries could not be loaded"
      empty={{ text: "Nothing has been sent yet." }}
      isEmpty={() => deliveries.length === 0}
    >
      {() => (
        <>
          <ul className={classes["history"]} aria-label="Deliveries">
            {deliveries.map((delivery) => {
              const { title, details } = deliveryText(delivery);
              return (
                <li key={delivery.id}>
                  <time dateTime={new Date(delivery.startedMs).toISOString()}>{localTime(delivery.startedMs)}</time>
                  <div>
                    {title}
                    {details !== "" && <small>{details}</small>}
                  </div>
                </li>
              );
            })}
          </ul>
          <p className={classes["hint"]}>Times in {browserZone()}</p>
          {hasNextPage && (
            <Button variant="default" mt="sm" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
              Load older deliveries
            </Button>
          )}
        </>
      )}
    </QueryState>
  );
}
