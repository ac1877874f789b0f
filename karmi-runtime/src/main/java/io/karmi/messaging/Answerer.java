package io.karmi.messaging;

import org.jspecify.annotations.Nullable;

/**
 * A program's handler of requests of one class. Called by several threads at once.
 *
 * @param <Q> the class of requests
 * @param <R> the class of answers, serializable
 */
@FunctionalInterface
public interface Answerer<Q, R> {
  /**
   * Answers a request.
   *
   * @param from the node that has sent it
   * @return the answer; if it is a {@link java.util.concurrent.CompletionStage}, its result is the
   *     answer, and no thread waits for it
   * @throws Exception sent back in place of an answer
   */
  @Nullable R answer(Q request, Address from) throws Exception;
}
