package io.karmi.messaging.channel;

import java.io.Serializable;
import java.io.StreamCorruptedException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The messages of channels, but those with {@linkplain ChannelGraph graphs}. A channel has a number
 * at each end, of 64 random bits; a message names that of the receiving end.
 */
public interface ChannelMessage extends Serializable {
  /** The channel, by its number at the receiving end. */
  long channel();

  /**
   * A request to open a channel.
   *
   * @param channel its number at the end that opens it
   * @param back the {@code Address} of that end, for when the link is closed that it has opened
   * @param windowBytes bytes that may be unread at that end
   */
  record Open(long channel, String name, Serializable back, int windowBytes)
      implements Serializable {}

  /**
   * The answer.
   *
   * @param channel its number at the end that has taken it
   */
  record Opened(long channel, int windowBytes) implements Serializable {}

  /**
   * A question for the {@link State}.
   *
   * @param from the number of the channel at the asking end
   * @param sent the number of the last graph that was sent: if it has not come yet, a state is to
   *     follow as soon as it has been dealt with
   * @param inOrder whether the question was sent in order, so that a graph up to that number that
   *     has not come was dropped
   * @param known the asking end knows of failures up to this graph
   */
  record Ask(long channel, long from, long sent, boolean inOrder, long known)
      implements ChannelMessage {}

  /**
   * The answer if there is such a channel, and what an end tells now and then: a {@link
   * ChannelState}.
   *
   * @param ranges pairs of the first and the last graph of a failure
   * @param reasons of the failures
   */
  record State(
      long channel,
      long done,
      long readBytes,
      boolean dropped,
      boolean ended,
      long[] ranges,
      String[] reasons)
      implements ChannelMessage {
    /** The message for a state. */
    public static State of(long channel, ChannelState state) {
      int count = state.failed().size();
      long[] ranges = new long[2 * count];
      String[] reasons = new String[count];
      for (int i = 0; i < count; i++) {
        ChannelState.Failure each = state.failed().get(i);
        ranges[2 * i] = each.first();
        ranges[2 * i + 1] = each.last();
        reasons[i] = each.reason();
      }
      return new State(
          channel,
          state.done(),
          state.readBytes(),
          state.dropped(),
          state.ended(),
          ranges,
          reasons);
    }

    /** The state in the message. */
    public ChannelState state() throws StreamCorruptedException {
      int count = reasons.length;
      if (ranges.length != 2 * count || count > ChannelState.MAXIMUM_FAILURES) {
        throw new StreamCorruptedException(
            "a state of a channel with " + count + " failures in " + ranges.length + " numbers");
      }
      List<ChannelState.Failure> failed = new ArrayList<>(count);
      for (int i = 0; i < count; i++) {
        failed.add(ChannelState.Failure.of(ranges[2 * i], ranges[2 * i + 1], reasons[i]));
      }
      return new ChannelState(done, readBytes, dropped, ended, failed);
    }
  }

  /** The answer if there is no such channel. */
  record Gone(long channel) implements ChannelMessage {}

  /**
   * The other end has closed the channel.
   *
   * @param sent the number of the last graph that it has sent
   * @param state of that end, in which nothing can be told any more; null from earlier versions
   */
  record End(long channel, long sent, @Nullable State state) implements ChannelMessage {}
}
