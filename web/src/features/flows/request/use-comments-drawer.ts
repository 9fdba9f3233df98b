import { useLocation, useNavigate, useRouter } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import { useVisit } from "./use-visit.ts";

declare module "@tanstack/history" {
  interface HistoryState {
    /** The comments are open in a drawer over this visit of the content. */
    commentsOverVisit?: string;
  }
}

interface CommentsDrawer {
  isOpen: boolean;
  open: () => void;
  close: () => void;
}

/** The drawer of comments has a place in the history: Back closes it, and a link in it leads to what it covers. */
export function useCommentsDrawer(): CommentsDrawer {
  const isOpen = useLocation({ select: ({ state }) => state.commentsOverVisit !== undefined });
  const visit = useVisit();
  const navigate = useNavigate();
  const { history } = useRouter();
  // The browser goes back later: a second press of Escape would leave the request.
  const isClosing = useRef(false);
  useEffect(() => {
    if (!isOpen) isClosing.current = false;
  }, [isOpen]);
  return {
    isOpen,
    open: () => void navigate({ to: ".", search: true, state: { commentsOverVisit: visit } }),
    close: () => {
      if (!isOpen || isClosing.current) return;
      isClosing.current = true;
      history.back();
    },
  };
}
