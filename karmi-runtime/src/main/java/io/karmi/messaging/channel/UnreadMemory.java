package io.karmi.messaging.channel;

import io.karmi.guard.Ledger;
import io.karmi.guard.Ledgers;
import java.lang.ref.Cleaner;
import java.lang.ref.WeakReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Accounts of what the unread graphs of channels take in memory, in the ledger of messages.
 *
 * <p>The ledger refers to the channel weakly. When the other end is gone, the program alone has the
 * channel: if it forgets it, the graphs are collected, and the account is closed.
 */
final class UnreadMemory {
  private static final Cleaner FORGOTTEN = Cleaner.create();

  private UnreadMemory() {}

  /**
   * Opens an account, which is closed with the channel.
   *
   * @param host as for {@link ChannelEnd}
   * @param free bytes that are not counted
   */
  static Ledger.Account account(
      ChannelEnd channel, Supplier<? extends @Nullable Object> host, long free) {
    WeakReference<ChannelEnd> known = new WeakReference<>(channel);
    Ledger.Account account = Ledgers.messages().open(host, free, reason -> giveWay(known, reason));
    FORGOTTEN.register(channel, account::close);
    return account;
  }

  private static boolean giveWay(WeakReference<ChannelEnd> known, String reason) {
    ChannelEnd channel = known.get();
    if (channel != null) {
      channel.giveWay(reason);
    }
    return true;
  }
}
