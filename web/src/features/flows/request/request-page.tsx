import type { FlowComment, FlowIteration, FlowRequest } from "@fairway/contract/flow-requests";
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { useMediaQuery } from "@mantine/hooks";
import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from "react";
import { together, WithoutData } from "#ui/kit/query-state.tsx";
import { PageHeader } from "#ui/page-header.tsx";
import { LoadingRows } from "#ui/states.tsx";
import { DetailPanel } from "#ui/kit/detail-panel.tsx";
import { CommentsPanel } from "./comments-panel.tsx";
import { FoundLinesContext, useFindLines } from "./found-lines.ts";
import { IterationList } from "./iteration-list.tsx";
import { IterationView, preloadContent } from "./iteration-view.tsx";
import { commentsQuery, eventsQuery, iterationsQuery, reloadTimeline, type RequestIds, requestQuery } from "./queries.ts";
import { type OpenRequest, RequestContext, useRequest } from "./request-context.ts";
import { RequestHeader } from "./request-header.tsx";
import { RequestNews } from "./request-news.tsx";
import { useCommentsDrawer } from "./use-comments-drawer.ts";
import { useIsPhone } from "./use-is-phone.ts";
import { useShownContent } from "./use-shown-content.ts";
import { readView, type RequestView, shownView, startView, viewInMode, viewOf, viewSearch } from "./view-address.ts";
import classes from "./request.module.css";

const commentsWidth = 340;

/** A request with its iterations, their differences and its timeline. */
export function FlowRequestPage() {
  const { groupName = "", flowId = "", requestId = "" }: Record<string, string | undefined> = useParams({ strict: false });
  const ids = useMemo(() => ({ group: groupName, flowId: Number(flowId), requestId: Number(requestId) }), [groupName, flowId, requestId]);
  const request = useQuery(requestQuery(ids));
  const iterations = useQuery(iterationsQuery(ids));
  useReadAhead(ids);
  if (request.data && iterations.data)
    return <LoadedRequest key={`${groupName} ${flowId} ${requestId}`} ids={ids} request={request.data} iterations={iterations.data} />;
  return (
    <>
      <PageHeader title={request.data?.name ?? "Flow Request"} />
      <WithoutData
        query={together(request, iterations)}
        loading={{ shown: <LoadingColumns /> }}
        failed="Error loading flow request."
        otherwise={<Link to="/niflow-requests">All flow requests</Link>}
      />
    </>
  );
}

/** The columns of the page, so that nothing moves when the request arrives. */
function LoadingColumns() {
  return (
    <div className={classes["columns"]}>
      <div className={classes["iterations"]}>
        <div className={classes["section"]} />
      </div>
      <div className={classes["viewer"]}>
        <div className={classes["tools"]} />
        <LoadingRows label="Loading flow request" rows={16} rowHeight={20} />
      </div>
      <div className={classes["loadingComments"]} style={{ width: commentsWidth }} />
    </div>
  );
}

const whenOpened = { refetchOnMount: true, retryOnMount: true, notifyOnChangeProps: [] };

/** Starts what is rendered after the request and its iterations, rather than when they have arrived. */
function useReadAhead(ids: RequestIds): void {
  const search: Readonly<Record<string, unknown>> = useSearch({ strict: false });
  const { mode, view } = readView(search);
  useQuery({ ...commentsQuery(ids), ...whenOpened });
  useQuery({ ...eventsQuery(ids), ...whenOpened });
  useEffect(() => preloadContent({ mode, view }), [mode, view]);
}

interface Loaded {
  ids: RequestIds;
  request: FlowRequest;
  iterations: readonly FlowIteration[];
}

function LoadedRequest(loaded: Loaded) {
  const open = useOpenRequest(loaded);
  useFollowed(loaded);
  const hasAside = useMediaQuery("(min-width: 1181px)", undefined, { getInitialValueInEffect: false });
  const isWide = useMediaQuery("(min-width: 1700px)", undefined, { getInitialValueInEffect: false });
  const isPhone = useIsPhone();
  const drawer = useCommentsDrawer();
  // A drawing gets the room of the comments, which stand beside it when they are wanted.
  const hasRoom = hasAside && (isWide || viewOf(open.shown) !== "drawing");
  return (
    <RequestContext value={open}>
      <FoundLines>
        <RequestHeader onComments={hasRoom ? undefined : drawer.open} />
        <RequestNews />
        <div className={classes["columns"]}>
          {isPhone ? <h2 className="visually-hidden">Iterations</h2> : <IterationList />}
          <IterationView />
          <DetailPanel label="Comments" opened={hasRoom || drawer.isOpen} width={commentsWidth} onClose={drawer.close}>
            <CommentsPanel onClose={hasRoom ? undefined : drawer.close} />
          </DetailPanel>
        </div>
      </FoundLines>
    </RequestContext>
  );
}

const noComments: readonly FlowComment[] = [];

function FoundLines({ children }: { children: ReactNode }) {
  const { ids, iterations } = useRequest();
  const { data: comments = noComments } = useQuery(commentsQuery(ids));
  const { iteration, content } = useShownContent();
  const found = useFindLines({ ids, iterations, comments, iterationId: iteration?.id ?? 0, content });
  return <FoundLinesContext value={found}>{children}</FoundLinesContext>;
}

function useOpenRequest({ ids, request, iterations }: Loaded): OpenRequest {
  const search: Readonly<Record<string, unknown>> = useSearch({ strict: false });
  const navigate = useNavigate();
  // An iteration that is added while the page is open does not take the place of the one that is being read.
  const [newest] = useState(iterations.length);
  const format = iterations[newest - 1]?.format;
  const address = useMemo(() => {
    const read = readView(search);
    // Where there are no components to compare, the text of the iteration says most.
    return read === startView && viewInMode("diff", format).view === "text"
      ? { ...read, ...viewInMode("single", format), base: null }
      : read;
  }, [search, format]);
  const shown = useMemo(() => {
    const iteration = address.iteration !== null && address.iteration <= iterations.length ? address.iteration : newest;
    return shownView({ ...address, iteration }, iterations.length);
  }, [address, newest, iterations.length]);
  const searchOf = useCallback(
    (change: Partial<RequestView>) => viewSearch({ ...address, iteration: shown.iteration, line: null, component: null, ...change }),
    [address, shown.iteration],
  );
  const show = useCallback((change: Partial<RequestView>) => void navigate({ to: ".", search: searchOf(change) }), [navigate, searchOf]);
  const lastToolRef = useRef<string | null>(null);
  return useMemo(
    () => ({ ids, request, iterations, shown, searchOf, show, lastToolRef }),
    [ids, request, iterations, shown, searchOf, show],
  );
}

/** Reads the rest again when the request, which is polled, has changed. */
function useFollowed({ ids, request: { lastUpdatedMs, comments } }: Loaded): void {
  const seen = useRef(`${lastUpdatedMs} ${comments}`);
  useEffect(() => {
    const now = `${lastUpdatedMs} ${comments}`;
    if (seen.current !== now) void reloadTimeline(ids);
    seen.current = now;
  }, [ids, lastUpdatedMs, comments]);
}
