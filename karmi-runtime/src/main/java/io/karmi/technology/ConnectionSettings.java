package io.karmi.technology;

import io.karmi.guard.OpenFiles;
import io.karmi.settings.Settings;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Timeouts and limits of connections, for calls and for messages; {@link Settings} says what each
 * one means.
 *
 * <p>Immutable.
 */
public class ConnectionSettings {
  private static final long NANOS_PER_MICRO = 1000;

  /** One in this many connections is kept for other hosts than the one with the most. */
  private static final int SHARE_OF_OTHERS = 8;

  /**
   * One in this many files that the process may open is for the connections of one network. There
   * are three networks, TCP, Unix-domain sockets and shared memory; the rest is the program's.
   */
  private static final int PART_OF_FILES = 4;

  /** One in this many is for the connections of one network that this node opens. */
  private static final int PART_OF_FILES_TO_OPEN = 8;

  private static final int UNSET = -1;
  private static final long LONGEST_UNCONFIRMED_MILLIS = 30_000;

  /** Time to open a connection; 0 for as long as the system tries. */
  public final long connectTimeoutMillis;

  /** Time for the handshake; no longer than {@link #readTimeoutMillis}. */
  public final long handshakeTimeoutMillis;

  /** Time that a caller waits for the next bytes of a reply; 0 for ever. */
  public final int responseTimeoutMillis;

  /** Time until a connection is closed that is not used. */
  public final long idleTimeoutMillis;

  /** Time until the connection of another node is closed on which nothing comes; 0 for never. */
  public final long readTimeoutMillis;

  /**
   * Time in which another node must go on with a message that it has begun, for each 64 KiB; no
   * longer than {@link #readTimeoutMillis}, and 0 for ever.
   */
  public final long messageTimeoutMillis;

  /** Time until another node is given up that takes none of the bytes sent to it; 0 for never. */
  public final long writeTimeoutMillis;

  /** Time without a sign of life until a waiting call is given up; 0 for never. */
  public final int keepAliveMillis;

  /** Number of connections of others at a time, those in their handshake included. */
  public final int maximumConnections;

  /** Number of these that one host may have. */
  public final int maximumConnectionsPerHost;

  /** Length of one message. */
  public final long maximumMessageBytes;

  /** Bytes a second that are read from all connections of one host; 0 for any number. */
  public final long maximumBytesPerSecondPerHost;

  private final boolean maximumConnectionsSet;

  /** Whether a caller that is interrupted stops waiting. */
  public final boolean interruptible;

  /** Whether calls of others run on virtual threads, where the JDK has them. */
  public final boolean virtualThreads;

  /** Time to look for bytes before a thread sleeps in the kernel; negative: the network decides. */
  public final long spinNanos;

  /**
   * Time for which is kept what a reply refers to, when its connection has ended before the caller
   * had registered that; no longer than a lease.
   */
  public final long unconfirmedMillis;

  /** The settings of this process. */
  public ConnectionSettings() {
    this(Settings.SYSTEM);
  }

  /**
   * Settings of another source.
   *
   * @param source gives the value of a property, or null
   */
  public ConnectionSettings(UnaryOperator<@Nullable String> source) {
    connectTimeoutMillis = Settings.CONNECT_TIMEOUT.get(source);
    responseTimeoutMillis = Settings.RESPONSE_TIMEOUT.getInt(source);
    idleTimeoutMillis = Settings.IDLE_TIMEOUT.get(source);
    readTimeoutMillis = Settings.READ_TIMEOUT.get(source);
    handshakeTimeoutMillis = sooner(Settings.HANDSHAKE_TIMEOUT.get(source), readTimeoutMillis);
    messageTimeoutMillis = sooner(Settings.MESSAGE_TIMEOUT.get(source), readTimeoutMillis);
    writeTimeoutMillis = Settings.WRITE_TIMEOUT.get(source);
    keepAliveMillis = Settings.KEEP_ALIVE.getInt(source);
    long set = Settings.MAX_CONNECTIONS.get(source, UNSET);
    maximumConnectionsSet = set != UNSET;
    maximumConnections =
        maximumConnectionsSet
            ? (int) set
            : Math.min(Settings.MAX_CONNECTIONS.getInt(source), OpenFiles.MAXIMUM / PART_OF_FILES);
    maximumConnectionsPerHost =
        (int)
            Settings.MAX_CONNECTIONS_PER_HOST.get(
                source, maximumConnections - maximumConnections / SHARE_OF_OTHERS);
    maximumMessageBytes = Settings.MAX_MESSAGE_BYTES.get(source);
    maximumBytesPerSecondPerHost = Settings.MAX_BYTES_PER_SECOND_PER_HOST.get(source);
    interruptible = Settings.INTERRUPTIBLE.isOn(source);
    virtualThreads = Settings.VIRTUAL_THREADS.isOn(source);
    unconfirmedMillis = Math.min(LONGEST_UNCONFIRMED_MILLIS, Settings.LEASE.get(source));
    spinNanos = Settings.SPIN_MICROS.get(source) * NANOS_PER_MICRO;
  }

  /**
   * {@link #maximumConnections} of a network. Unless it is set, the program has files left while a
   * few networks have all of theirs.
   *
   * @param files that the network needs for each connection
   */
  public int maximumConnections(int files) {
    return maximumConnectionsSet
        ? maximumConnections
        : Math.min(maximumConnections, Math.max(1, OpenFiles.MAXIMUM / PART_OF_FILES / files));
  }

  /**
   * Number of connections of a network beyond which calls of this node go by one that needs fewer
   * files, if there is one: a caller with stock RMI needs one for each.
   *
   * @param files that the network needs for each connection
   */
  public static int mostToOpen(int files) {
    return files == 1 ? Integer.MAX_VALUE : OpenFiles.MAXIMUM / PART_OF_FILES_TO_OPEN / files;
  }

  /** The shorter of two timeouts, where 0 is none. */
  private static long sooner(long one, long other) {
    return one == 0 || other == 0 ? Math.max(one, other) : Math.min(one, other);
  }
}
