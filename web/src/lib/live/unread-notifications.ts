import { create } from "zustand";

/** Number of the user's unread notifications, as last read from the gateway. */
export const useUnreadNotifications = create<{ unread: number }>(() => ({ unread: 0 }));
