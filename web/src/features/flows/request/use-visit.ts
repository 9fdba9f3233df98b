import { useLocation } from "@tanstack/react-router";

/**
 * Tells visits of addresses apart: also two visits of the same one, as by the same link. Opening the comments over the content is
 * no visit, although it has a place in the history.
 */
export const useVisit = (): string =>
  // oxlint-disable-next-line no-underscore-dangle -- the router's name
  useLocation({ select: ({ state }) => state.commentsOverVisit ?? state.__TSR_key ?? "" });
