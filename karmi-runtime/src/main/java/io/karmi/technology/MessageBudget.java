package io.karmi.technology;

import io.karmi.settings.NumberSetting;
import java.io.IOException;
import java.security.AccessController;
import java.security.PrivilegedAction;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Budget of memory for all messages of this JVM that are being received: {@code
 * karmi.maxUnfinishedBytes}. By default it is half of the largest heap, less 8 MB for the rest of a
 * small program, but a quarter at least.
 *
 * <p>Thread-safe.
 */
public final class MessageBudget {
  private static final String SETTING = "karmi.maxUnfinishedBytes";

  private static final long KEPT_BYTES = 8 << 20;

  private final long most;
  private final AtomicLong taken = new AtomicLong();

  /** A budget of that many bytes. */
  public MessageBudget(long most) {
    this.most = most;
  }

  /** The budget of this JVM. */
  public static MessageBudget ofJvm() {
    return OfJvm.BUDGET;
  }

  /**
   * Takes bytes for a message of which more is to come, until they are {@linkplain #giveBack given
   * back}.
   *
   * @param sender who sends the message
   * @param comeBytes bytes of it that have come
   * @param heldBytes bytes that it holds already
   * @throws IOException if fewer are left
   */
  public void take(long bytes, String sender, long comeBytes, long heldBytes) throws IOException {
    long before;
    do {
      before = taken.get();
      if (before + bytes > most) {
        throw refusal(bytes, sender, comeBytes, heldBytes, before);
      }
    } while (!taken.compareAndSet(before, before + bytes));
  }

  private IOException refusal(
      long bytes, String sender, long comeBytes, long heldBytes, long before) {
    return new IOException(
        "a message of "
            + sender
            + " is refused: after "
            + comeBytes
            + " bytes it takes "
            + heldBytes
            + " bytes of memory and wants "
            + bytes
            + " more, and all messages that have not come whole take "
            + before
            + " of "
            + most
            + " bytes ("
            + SETTING
            + "); send it again, in smaller parts, or raise that");
  }

  /** Gives back what was taken. */
  public void giveBack(long bytes) {
    taken.addAndGet(-bytes);
  }

  /** The number of bytes that are taken. */
  public long takenBytes() {
    return taken.get();
  }

  private static final class OfJvm {
    @SuppressWarnings("removal") // a program under a security manager need not have the permission
    static final MessageBudget BUDGET =
        AccessController.doPrivileged(
            (PrivilegedAction<MessageBudget>)
                () -> new MessageBudget(NumberSetting.of(SETTING, byDefault())));

    private OfJvm() {}

    private static long byDefault() {
      long heap = Runtime.getRuntime().maxMemory();
      return Math.max(heap / 4, heap / 2 - KEPT_BYTES);
    }
  }
}
