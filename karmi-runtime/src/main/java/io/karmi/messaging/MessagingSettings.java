package io.karmi.messaging;

import io.karmi.settings.NumberSetting;
import java.util.function.UnaryOperator;

/**
 * Limits and sizes of messaging, from system properties.
 *
 * <ul>
 *   <li>{@code karmi.messaging.window}: bytes on their way to one node that it has not processed,
 *       by default 524,288
 *   <li>{@code karmi.messaging.ring}: bytes of the outgoing ring of a connection, rounded up to a
 *       power of two; by default 1,048,576
 *   <li>{@code karmi.messaging.lanes}: how many threads marshal messages to one node at a time, 2
 *       to 16; by default two for each processor, and at least 4
 *   <li>{@code karmi.messaging.handlers}: threads that handle messages, by default one for each
 *       processor, and at least 2
 *   <li>{@code karmi.messaging.maxHandlers}: threads that handle messages while others wait inside
 *       a handler, by default 256
 *   <li>{@code karmi.messaging.maxLinks}: connections that this node opens at a time, by default
 *       100. For one more the one is closed that is idle for the longest time; if none is, who
 *       sends waits for a minute at most. Idle ones that others have opened are closed beyond, too
 *   <li>{@code karmi.messaging.maxAccepted}: connections of others that are taken at a time; one
 *       more is refused. By default as many as take a quarter of the heap, and at least 8
 *   <li>{@code karmi.messaging.requestTimeout}: milliseconds until a request fails that was not
 *       answered, 0 for never; by default 60,000
 *   <li>{@code karmi.messaging.open}: true to take any message from nodes that were given no
 *       reference to an object of this node; by default false: see {@link Address#at}
 * </ul>
 *
 * <p>Immutable.
 */
final class MessagingSettings {
  private static final int SMALLEST_WINDOW = 4 * 1024;
  private static final int SMALLEST_RING = 128 * 1024;
  private static final int LARGEST_RING = 1 << 30;

  /** Number of accepted connections in the smallest heap. */
  private static final int LEAST_ACCEPTED = 8;

  final int windowBytes;
  final int ringBytes;
  final int lanes;
  final int handlers;
  final int maximumHandlers;
  final int maximumLinks;
  final int maximumAccepted;
  final long requestTimeoutMillis;
  final long idleTimeoutMillis;
  final long writeTimeoutMillis;
  final long messageTimeoutMillis;
  final long maximumMessageBytes;
  final boolean open;

  /**
   * Reads the settings.
   *
   * @param properties gives the value of a property, or null
   */
  MessagingSettings(UnaryOperator<String> properties) {
    int processors = Runtime.getRuntime().availableProcessors();
    windowBytes =
        (int) number(properties, "karmi.messaging.window", 512 * 1024, SMALLEST_WINDOW, 1 << 30);
    long ring = number(properties, "karmi.messaging.ring", 1 << 20, SMALLEST_RING, LARGEST_RING);
    ringBytes = Integer.highestOneBit((int) ring) == ring ? (int) ring : nextPowerOfTwo((int) ring);
    lanes =
        (int)
            number(
                properties,
                "karmi.messaging.lanes",
                Math.min(MessageFrame.MAXIMUM_LANES, Math.max(4, 2 * processors)),
                2,
                MessageFrame.MAXIMUM_LANES);
    handlers =
        (int) number(properties, "karmi.messaging.handlers", Math.max(2, processors), 1, 10_000);
    maximumHandlers =
        (int) number(properties, "karmi.messaging.maxHandlers", 256, handlers, 100_000);
    maximumLinks = (int) number(properties, "karmi.messaging.maxLinks", 100, 1, 1_000_000);
    long forHeap = Runtime.getRuntime().maxMemory() / 4 / (ringBytes + (long) windowBytes);
    maximumAccepted =
        (int)
            number(
                properties,
                "karmi.messaging.maxAccepted",
                Math.max(LEAST_ACCEPTED, Math.min(1_000_000, forHeap)),
                1,
                1_000_000);
    requestTimeoutMillis =
        number(properties, "karmi.messaging.requestTimeout", 60_000, 0, Long.MAX_VALUE / 2_000_000);
    idleTimeoutMillis =
        number(properties, "karmi.idleTimeout", 15_000, 1, Long.MAX_VALUE / 2_000_000);
    writeTimeoutMillis =
        number(properties, "karmi.writeTimeout", 60_000, 0, Long.MAX_VALUE / 2_000_000);
    messageTimeoutMillis =
        number(properties, "karmi.messageTimeout", 60_000, 0, Long.MAX_VALUE / 2_000_000);
    maximumMessageBytes =
        number(
            properties,
            "karmi.maxMessageBytes",
            Math.min(1 << 30, Runtime.getRuntime().maxMemory() / 4),
            1,
            Integer.MAX_VALUE - 64);
    open = Boolean.parseBoolean(properties.apply("karmi.messaging.open"));
  }

  private static int nextPowerOfTwo(int number) {
    return Math.min(LARGEST_RING, Integer.highestOneBit(number) << 1);
  }

  private static long number(
      UnaryOperator<String> properties, String name, long byDefault, long least, long most) {
    return NumberSetting.of(properties, byDefault, least, most, name);
  }
}
