import { island } from "#ui/island.tsx";

export const GraphsView = island(async () => ({ default: (await import("./graphs-view.tsx")).GraphsView }), { isLarge: true });
