import { useState } from "react";
import { create } from "zustand";
import { lazyPart } from "./lazy-part.tsx";
import type { Asked, Question } from "./question.ts";

const useAsked = create<{ asked: Asked | null }>(() => ({ asked: null }));

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

const QuestionDialog = lazyPart(() => import("./question-dialog.tsx"));

/** Where questions appear. Mounted once, by the shell; the dialog comes with the first question. */
export function ConfirmHost() {
  const asked = useAsked((state) => state.asked);
  const [loaded, setLoaded] = useState(false);
  if (asked && !loaded) setLoaded(true);
  return loaded && <QuestionDialog asked={asked} />;
}
