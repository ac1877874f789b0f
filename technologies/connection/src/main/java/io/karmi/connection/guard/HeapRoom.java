package io.karmi.connection.guard;

import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.management.MemoryUsage;
import java.security.AccessController;
import java.security.PrivilegedAction;
import java.util.List;

/**
 * Room that is left in the heap. It is short when collections have left more than three quarters of
 * the largest heap in use. Garbage that no collection has looked at does not count, or every busy
 * JVM would be short.
 */
public final class HeapRoom {
  /** One in this many bytes of the largest heap has to be free after a collection. */
  private static final int FREE_PART = 4;

  private HeapRoom() {}

  /** Whether it is short. */
  public static boolean isShort() {
    Runtime runtime = Runtime.getRuntime();
    long most = runtime.maxMemory() - runtime.maxMemory() / FREE_PART;
    try {
      return runtime.totalMemory() - runtime.freeMemory() > most && Pools.bytesCollected() > most;
    } catch (OutOfMemoryError e) {
      return true;
    } catch (RuntimeException | LinkageError e) {
      return false; // the JVM does not tell what its collections leave
    }
  }

  /** Loaded when the heap is nearly full for the first time. */
  private static final class Pools {
    private static final List<MemoryPoolMXBean> ALL = find();

    private Pools() {}

    @SuppressWarnings("removal") // a program under a security manager need not have the permission
    private static List<MemoryPoolMXBean> find() {
      return AccessController.doPrivileged(
          (PrivilegedAction<List<MemoryPoolMXBean>>) ManagementFactory::getMemoryPoolMXBeans);
    }

    /** Bytes that the last collection of each part of the heap has left in it. */
    static long bytesCollected() {
      long bytes = 0;
      for (MemoryPoolMXBean pool : ALL) {
        MemoryUsage left = pool.getType() == MemoryType.HEAP ? pool.getCollectionUsage() : null;
        bytes += left == null ? 0 : left.getUsed();
      }
      return bytes;
    }
  }
}
