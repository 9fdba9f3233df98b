import { create } from "zustand";

/** What the menu shows of the user's flow groups, as last read from the gateway. */
export const useFlowMembership = create<{ isMember: boolean; needsMyReview: number }>(() => ({ isMember: false, needsMyReview: 0 }));
