package io.karmi.messaging.channel;

import java.util.List;

/**
 * What one end of a channel has received.
 *
 * @param done the number of the last graph that has been dealt with; they begin with 1
 * @param readBytes bytes of the graphs that its program has read or dropped, {@link
 *     ChannelGraph#OVERHEAD_BYTES} for each included
 * @param dropped whether something has not come, perhaps a graph: the other end is to ask in order
 * @param ended whether it knows that the other end has ended the channel
 * @param failed the graphs that could not be read, in their order, as far as the other end has not
 *     confirmed that it knows them
 */
public record ChannelState(
    long done, long readBytes, boolean dropped, boolean ended, List<Failure> failed) {
  /** Most failures that are kept for the other end. */
  public static final int MAXIMUM_FAILURES = 256;

  /** Longest text of a failure, in characters. */
  public static final int LONGEST_REASON = 256;

  public ChannelState {
    failed = List.copyOf(failed);
  }

  /**
   * Graphs that could not be read.
   *
   * @param first number of the first one
   * @param last number of the last one
   * @param reason for the sender's exception
   */
  record Failure(long first, long last, String reason) {
    /** A failure with a reason that is not too long. */
    static Failure of(long first, long last, String reason) {
      return new Failure(
          first,
          last,
          reason.length() <= LONGEST_REASON ? reason : reason.substring(0, LONGEST_REASON) + "…");
    }
  }
}
