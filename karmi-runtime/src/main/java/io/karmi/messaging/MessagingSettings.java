package io.karmi.messaging;

import io.karmi.guard.OpenFiles;
import io.karmi.messaging.frame.MessageFrame;
import io.karmi.settings.Settings;
import io.karmi.technology.ConnectionSettings;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The settings of connections, and the sizes of messaging, which follow from the heap and the
 * processors.
 *
 * <p>Immutable.
 */
final class MessagingSettings extends ConnectionSettings {
  /** Number of accepted connections in the smallest heap. */
  private static final int MINIMUM_ACCEPTED = 8;

  private static final int MINIMUM_LANES = 4;
  private static final int MINIMUM_HANDLERS = 2;
  private static final int MAXIMUM_LINKS = 1_000_000;

  /**
   * One in this many files that the process may open is for an accepted connection: all have an
   * eighth of them over shared memory, which needs three for each, and half of them over UCX.
   */
  private static final int PART_OF_FILES = 8 * 3;

  /** A message is one array at its receiver, whose length has some bytes of its own. */
  private static final int MAXIMUM_MESSAGE_BYTES = Integer.MAX_VALUE - 64;

  /** Bytes under way to one node that it has not processed. */
  final int windowBytes;

  /** Bytes of the outgoing ring of a connection, a power of two. */
  final int ringBytes;

  /** Number of threads that marshal messages to one node at a time. */
  final int lanes;

  /** Number of threads that handle messages. */
  final int handlers;

  /** Number of threads that handle messages while others wait inside a handler. */
  final int maximumHandlers;

  /** Number of connections that this node opens at a time. */
  final int maximumLinks;

  /** Number of connections of others that are taken at a time. */
  final int maximumAccepted;

  /** Time until a request fails that was not answered; 0 for never. */
  final long requestTimeoutMillis;

  final int messageBytes;

  /** Whether nodes may send that were given no reference to an object of this node. */
  final boolean open;

  /** The settings of this process. */
  MessagingSettings() {
    this(Settings.SYSTEM);
  }

  /**
   * @param source gives the value of a property, or null
   */
  MessagingSettings(UnaryOperator<@Nullable String> source) {
    super(source);
    int processors = Runtime.getRuntime().availableProcessors();
    windowBytes = Settings.WINDOW.getInt(source);
    ringBytes = powerOfTwo(Settings.RING.getInt(source));
    int lanesByDefault =
        Math.min(MessageFrame.MAXIMUM_LANES, Math.max(MINIMUM_LANES, 2 * processors));
    lanes = (int) Settings.LANES.get(source, lanesByDefault);
    handlers = (int) Settings.HANDLERS.get(source, Math.max(MINIMUM_HANDLERS, processors));
    maximumHandlers = Math.max(handlers, Settings.MAX_HANDLERS.getInt(source));
    maximumLinks = Settings.MAX_LINKS.getInt(source);
    long forHeap = Runtime.getRuntime().maxMemory() / 4 / (ringBytes + (long) windowBytes);
    long forFiles = OpenFiles.MAXIMUM / PART_OF_FILES;
    long allowed = Math.min(MAXIMUM_LINKS, Math.min(forHeap, forFiles));
    long acceptedByDefault = Math.max(MINIMUM_ACCEPTED, allowed);
    maximumAccepted = (int) Settings.MAX_ACCEPTED_LINKS.get(source, acceptedByDefault);
    requestTimeoutMillis = Settings.REQUEST_TIMEOUT.get(source);
    messageBytes = (int) Math.min(MAXIMUM_MESSAGE_BYTES, maximumMessageBytes);
    open = Settings.MESSAGES_OPEN.isOn(source);
  }

  private static int powerOfTwo(int number) {
    int below = Integer.highestOneBit(number);
    return below == number ? number : below << 1;
  }
}
