const cachedAnswers = new WeakSet<object>();

/**
 * Declares that an answer is immutable and returned many times, so that it is parsed and serialized once. For answers that a
 * capability caches, not for those of a single call.
 */
export function cacheSerialized<Answer extends object>(answer: Answer): Answer {
  cachedAnswers.add(answer);
  return answer;
}

export function isCachedSerialized(answer: unknown): answer is object {
  return typeof answer === "object" && answer !== null && cachedAnswers.has(answer);
}
