import { create } from "zustand";

/** State of the user's flow groups for the menu, as last read from the gateway. */
export const useFlowMembership = create<{ isMember: boolean; needsMyReview: number }>(() => ({ isMember: false, needsMyReview: 0 }));
