package io.karmi.guard;

import io.karmi.settings.Settings;
import java.security.AccessController;
import java.security.PrivilegedAction;

/** The ledgers of this JVM: each a share of the largest heap. */
public final class Ledgers {
  /** Bytes of tables that each connection or link may keep whatever others have taken. */
  public static final long FREE_TABLE_BYTES = 1 << 15;

  private static final int TABLES_PART_OF_HEAP = 8;
  private static final int LEASES_PART_OF_HEAP = 16;

  private Ledgers() {}

  /**
   * Bytes of memory for messages that are being received: {@code karmi.maxUnfinishedBytes}, by
   * default half of the heap less 8 MB, and a quarter at least. The slowest gives way.
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
   * Bytes of memory for leases and their holders, beside the first lease of each object: a
   * sixteenth of the heap. One more is refused.
   */
  public static Ledger leases() {
    return Leases.LEDGER;
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
