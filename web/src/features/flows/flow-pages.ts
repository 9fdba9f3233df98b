/** The screens of flows, each loaded on its first use. Apart from the list of screens, which every page loads, so that they cost it one import. */
export const flowPages = {
  list: async () => (await import("./list/flows-page.tsx")).FlowsPage,
  history: async () => (await import("./history/history-page.tsx")).HistoryPage,
  requests: async () => (await import("./requests/requests-page.tsx")).RequestsPage,
  request: async () => (await import("./request/request-page.tsx")).FlowRequestPage,
};
