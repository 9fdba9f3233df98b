const lastingAnswers = new WeakSet<object>();

/**
 * Declares that an answer never changes again and will be handed out many times: it is parsed and written as JSON once.
 * What a capability remembers is lasting; what it makes for one call is not.
 */
export function lasting<Answer extends object>(answer: Answer): Answer {
  lastingAnswers.add(answer);
  return answer;
}

export function isLasting(answer: unknown): answer is object {
  return typeof answer === "object" && answer !== null && lastingAnswers.has(answer);
}
