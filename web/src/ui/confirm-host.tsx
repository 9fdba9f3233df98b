import { useState } from "react";
import { useAsked } from "./confirm.tsx";
import { lazyPart } from "./lazy-part.tsx";

const QuestionDialog = lazyPart(() => import("./question-dialog.tsx"));

/** Where questions appear. Mounted once, by the shell; the dialog comes with the first question. */
export function ConfirmHost() {
  const asked = useAsked((state) => state.asked);
  const [loaded, setLoaded] = useState(false);
  if (asked && !loaded) setLoaded(true);
  return loaded && <QuestionDialog asked={asked} />;
}
