package io.karmi.guard;

import io.karmi.settings.Settings;
import java.io.InvalidObjectException;
import java.security.AccessController;
import java.security.PrivilegedAction;

/** The ledgers of this JVM, each a share of the largest heap, and its rates of hosts. */
public final class Ledgers {
  /** Bytes of tables that each connection or link may keep whatever others have taken. */
  public static final long FREE_TABLE_BYTES = 1 << 15;

  private static final int TABLES_PART_OF_HEAP = 8;
  private static final int LEASES_PART_OF_HEAP = 16;
  private static final int WINDOWS_PART_OF_HEAP = 32;

  /**
   * Steps a second to hash and compare for one host, beyond those that the length of its messages
   * explains: a tenth of a processor. A host that was quiet may have those of two messages at once.
   */
  private static final double STEPS = 1 << 23;

  private static final double STEPS_AT_ONCE = 1 << 25;

  private static final HostRates WORK = new HostRates(STEPS, STEPS_AT_ONCE);

  /**
   * Handshakes a second of one host that prove nothing: a tenth of a processor. A host that was
   * quiet may have more of them at the same time; who proves what it is gives them back.
   */
  private static final double HANDSHAKES = 50;

  private static final double HANDSHAKES_AT_ONCE = 100;
  private static final HostRates UNPROVEN = new HostRates(HANDSHAKES, HANDSHAKES_AT_ONCE);

  /** Warnings a second about what one host has sent, and of all hosts together. */
  private static final double LINES = 0.1;

  private static final double LINES_AT_ONCE = 5;
  private static final HostRates LINES_OF_HOST = new HostRates(LINES, LINES_AT_ONCE);
  private static final HostRates LINES_OF_ALL = new HostRates(10 * LINES, 10 * LINES_AT_ONCE);

  private Ledgers() {}

  /**
   * Counts steps to hash and compare what a host has sent, and to make classes for it.
   *
   * @throws InvalidObjectException if these are too many
   */
  public static void work(Object host, long steps) throws InvalidObjectException {
    if (!WORK.tryTake(host, steps)) {
      throw new InvalidObjectException(
          "hashing and comparing what "
              + host
              + " has sent, and making classes for it, would take "
              + steps
              + " steps more than its messages explain, beyond the "
              + (long) STEPS
              + " steps a second of a host; send fewer at a time, or objects that contain each"
              + " other less often");
    }
  }

  /**
   * Handshakes with keys, as of TLS, that are computed for a host before it has proven anything.
   */
  public static HostRates handshakes() {
    return UNPROVEN;
  }

  /** Whether a warning about what a host has sent may be logged: a log is not endless. */
  public static boolean mayWarn(Object host) {
    return LINES_OF_HOST.tryTake(host, 1) && LINES_OF_ALL.tryTake(LINES_OF_ALL, 1);
  }

  /**
   * Bytes of memory for messages that are being received: {@code karmi.maxUnfinishedBytes}, by
   * default half of the heap less 16 MB, and three eighths at least. The slowest gives way.
   */
  public static Ledger messages() {
    return Messages.LEDGER;
  }

  /**
   * Bytes of memory that connections and links keep between calls and messages for what their peers
   * have described, such as interfaces and classes: an eighth of the heap. The largest gives way.
   */
  public static Ledger tables() {
    return Tables.LEDGER;
  }

  /**
   * Bytes of memory for leases and their holders, beside the first lease of each object, and for
   * replies whose callers have gone: a sixteenth of the heap. One more is refused.
   */
  public static Ledger leases() {
    return Leases.LEDGER;
  }

  /**
   * Bytes by which windows of links are longer than the shortest ones: a thirty-second of the heap.
   * Where none is left a window stays as long as it is.
   */
  public static Ledger windows() {
    return Windows.LEDGER;
  }

  private static final class Windows {
    static final Ledger LEDGER =
        new Ledger(
            "a thirty-second of the heap",
            Runtime.getRuntime().maxMemory() / WINDOWS_PART_OF_HEAP,
            Ledger.Weakest.NONE);

    private Windows() {}
  }

  private static final class Leases {
    static final Ledger LEDGER =
        new Ledger(
            "a sixteenth of the heap",
            Runtime.getRuntime().maxMemory() / LEASES_PART_OF_HEAP,
            Ledger.Weakest.NONE);

    private Leases() {}
  }

  private static final class Messages {
    @SuppressWarnings("removal") // a program under a security manager need not have the permission
    static final Ledger LEDGER =
        AccessController.doPrivileged(
            (PrivilegedAction<Ledger>)
                () ->
                    new Ledger(
                        Settings.MAX_UNFINISHED_BYTES.name(),
                        Settings.MAX_UNFINISHED_BYTES.get(),
                        Ledger.Weakest.SLOWEST));

    private Messages() {}
  }

  private static final class Tables {
    static final Ledger LEDGER =
        new Ledger(
            "an eighth of the heap",
            Runtime.getRuntime().maxMemory() / TABLES_PART_OF_HEAP,
            Ledger.Weakest.LARGEST);

    private Tables() {}
  }
}
