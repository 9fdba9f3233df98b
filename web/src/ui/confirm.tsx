import { create } from "zustand";
import type { Asked, Question } from "./question.ts";

/** The question that waits for an answer. */
export const useAsked = create<{ asked: Asked | null }>(() => ({ asked: null }));

/** Asks a question in a dialog. Escape, the scrim and Cancel answer false; focus returns to where it was. */
export function confirm(question: Question): Promise<boolean> {
  return new Promise((resolve) => {
    useAsked.getState().asked?.answer(false);
    useAsked.setState({
      asked: {
        ...question,
        answer: (yes) => {
          useAsked.setState({ asked: null });
          resolve(yes);
        },
      },
    });
  });
}
