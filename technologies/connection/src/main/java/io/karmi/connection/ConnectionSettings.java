package io.karmi.connection;

import io.karmi.settings.NumberSetting;
import java.util.function.UnaryOperator;

/**
 * Timeouts and limits, from system properties. Where RMI has a property for the same thing, it is
 * the default.
 *
 * <ul>
 *   <li>{@code karmi.connectTimeout}: milliseconds until a connection must be open, by default
 *       10,000
 *   <li>{@code karmi.handshakeTimeout}: milliseconds until both sides must have introduced
 *       themselves ({@code sun.rmi.transport.tcp.handshakeTimeout}, 60,000); never longer than
 *       {@code karmi.readTimeout}
 *   <li>{@code karmi.responseTimeout}: milliseconds that a caller waits for the next bytes of a
 *       reply, 0 for ever ({@code sun.rmi.transport.tcp.responseTimeout}, 0)
 *   <li>{@code karmi.idleTimeout}: milliseconds until an idle connection is closed ({@code
 *       sun.rmi.transport.connectionTimeout}, 15,000)
 *   <li>{@code karmi.readTimeout}: milliseconds until the connection of another node is closed on
 *       which nothing comes, 0 for never ({@code sun.rmi.transport.tcp.readTimeout}, 7,200,000)
 *   <li>{@code karmi.messageTimeout}: milliseconds in which another node must go on with a call
 *       that it has begun to send, or a reply to this node's call back; by default 60,000, and no
 *       longer than {@code karmi.readTimeout}. A message may take as long as that for each 64 KiB
 *   <li>{@code karmi.writeTimeout}: milliseconds until the connection of another node is closed
 *       that takes none of the bytes that are sent to it, 0 for never; by default 60,000
 *   <li>{@code karmi.keepAlive}: milliseconds without a sign of life of the callee's process until
 *       a waiting call is given up, 0 for never; by default 30,000, and no less than 1,000
 *   <li>{@code karmi.maxConnections}: how many connections of others are open at a time, those that
 *       are being opened included; each has a thread and carries one call; by default one for each
 *       128 KiB that the heap can become, but no more than 10,000 and no fewer than 256 ({@code
 *       sun.rmi.transport.tcp.maxConnectionThreads})
 *   <li>{@code karmi.maxConnectionsPerHost}: how many of these one host may have; by default seven
 *       eighths, so that there is room for others
 *   <li>{@code karmi.maxMessageBytes}: how long one message may be, in bytes; by default a quarter
 *       of what the heap can become
 *   <li>{@code karmi.maxBytesPerSecondPerHost}: how many bytes of calls a second are read from all
 *       connections of one host together; by default 0, for any number
 *   <li>{@code karmi.spinMicros}: microseconds for which a thread looks for bytes before it sleeps
 *       in the kernel; by default 0 at sockets, and 20 at shared memory
 *   <li>{@code karmi.metrics}: whether it is recorded how long calls take; by default false
 *   <li>{@code karmi.interruptible}: a caller that is interrupted stops waiting for its reply; by
 *       default false, as in stock RMI
 *   <li>{@code karmi.virtualThreads}: calls of others run on virtual threads, where the JDK has
 *       them; by default false
 * </ul>
 *
 * <p>Immutable.
 */
public class ConnectionSettings {
  private static final long NANOS_PER_MICRO = 1000;

  /** Upper bound of the time without sleep, in microseconds. */
  private static final long MOST_SPIN_MICROS = 1_000_000;

  private static final long BYTES_PER_CONNECTION = 128 * 1024;
  private static final long FEWEST_CONNECTIONS = 256;
  private static final long MOST_CONNECTIONS = 10_000;

  /**
   * Lower bound of {@code karmi.keepAlive}: the watchdog looks four times a second, and three signs
   * are sent in this time.
   */
  private static final int LEAST_KEEP_ALIVE_MILLIS = 1_000;

  /** One in this many connections is kept for other hosts than the one with the most. */
  private static final int SHARE_OF_OTHERS = 8;

  public final long connectTimeoutMillis;
  public final long handshakeTimeoutMillis;
  public final int responseTimeoutMillis;
  public final long idleTimeoutMillis;
  public final long readTimeoutMillis;
  public final long messageTimeoutMillis;
  public final long writeTimeoutMillis;
  public final int keepAliveMillis;
  public final int maximumConnections;
  public final int maximumConnectionsPerHost;
  public final long maximumMessageBytes;
  public final boolean interruptible;
  public final boolean metrics;
  public final long maximumBytesPerSecondPerHost;

  public final boolean virtualThreads;

  /** Time to spin, in nanoseconds; negative if the network decides. */
  final long spinNanos;

  /**
   * Reads the settings.
   *
   * @param properties gives the value of a property, or null
   */
  public ConnectionSettings(UnaryOperator<String> properties) {
    connectTimeoutMillis = whole(properties, 10_000, "karmi.connectTimeout");
    responseTimeoutMillis =
        whole(properties, 0, "karmi.responseTimeout", "sun.rmi.transport.tcp.responseTimeout");
    idleTimeoutMillis =
        whole(properties, 15_000, "karmi.idleTimeout", "sun.rmi.transport.connectionTimeout");
    readTimeoutMillis =
        whole(properties, 7_200_000, "karmi.readTimeout", "sun.rmi.transport.tcp.readTimeout");
    long handshakeMillis =
        whole(
            properties, 60_000, "karmi.handshakeTimeout", "sun.rmi.transport.tcp.handshakeTimeout");
    handshakeTimeoutMillis =
        readTimeoutMillis == 0 ? handshakeMillis : Math.min(handshakeMillis, readTimeoutMillis);
    maximumConnections =
        whole(
            properties,
            connectionsByDefault(),
            "karmi.maxConnections",
            "sun.rmi.transport.tcp.maxConnectionThreads");
    maximumConnectionsPerHost =
        whole(
            properties,
            maximumConnections - maximumConnections / SHARE_OF_OTHERS,
            "karmi.maxConnectionsPerHost");
    messageTimeoutMillis =
        sooner(number(properties, 60_000, "karmi.messageTimeout"), readTimeoutMillis);
    writeTimeoutMillis = number(properties, 60_000, "karmi.writeTimeout");
    int keepAlive = whole(properties, 30_000, "karmi.keepAlive");
    keepAliveMillis = keepAlive == 0 ? 0 : Math.max(LEAST_KEEP_ALIVE_MILLIS, keepAlive);
    maximumMessageBytes =
        number(properties, Runtime.getRuntime().maxMemory() / 4, "karmi.maxMessageBytes");
    metrics = Boolean.parseBoolean(properties.apply("karmi.metrics"));
    maximumBytesPerSecondPerHost = number(properties, 0, "karmi.maxBytesPerSecondPerHost");
    interruptible = Boolean.parseBoolean(properties.apply("karmi.interruptible"));
    virtualThreads = Boolean.parseBoolean(properties.apply("karmi.virtualThreads"));
    long spinMicros = number(properties, -1, "karmi.spinMicros");
    spinNanos = Math.min(spinMicros, MOST_SPIN_MICROS) * NANOS_PER_MICRO;
  }

  /** The shorter of two timeouts, where 0 is none. */
  private static long sooner(long one, long other) {
    return one == 0 || other == 0 ? Math.max(one, other) : Math.min(one, other);
  }

  /**
   * Default of {@code karmi.maxConnections}. A connection takes 42 kB of heap and a thread, 130 kB
   * in all (docs/operations.md).
   */
  private static long connectionsByDefault() {
    long forHeap = Runtime.getRuntime().maxMemory() / BYTES_PER_CONNECTION;
    return Math.max(FEWEST_CONNECTIONS, Math.min(MOST_CONNECTIONS, forHeap));
  }

  private static int whole(UnaryOperator<String> properties, long byDefault, String... names) {
    return (int) Math.min(Integer.MAX_VALUE, number(properties, byDefault, names));
  }

  /** The first of the properties that is a number of at least 0, or the default. */
  private static long number(UnaryOperator<String> properties, long byDefault, String... names) {
    return NumberSetting.of(properties, byDefault, 0, Long.MAX_VALUE, names);
  }
}
