package io.karmi.connection.guard;

import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.management.MemoryUsage;
import java.security.AccessController;
import java.security.PrivilegedAction;
import java.util.List;

/**
 * Room that is left in the heap. It is short when the last collection has left more than three
 * quarters of the part for old objects in use. Garbage that no collection has looked at does not
 * count, or every busy JVM would be short.
 */
public final class HeapRoom {
  /** One in this many bytes for old objects has to be free after a collection. */
  private static final int FREE_PART = 4;

  /** No look at collections while less than one in this many bytes of the heap is in use. */
  private static final int USED_PART = 2;

  private HeapRoom() {}

  /** Whether it is short. */
  public static boolean isShort() {
    Runtime runtime = Runtime.getRuntime();
    long used = runtime.totalMemory() - runtime.freeMemory();
    try {
      return used > runtime.maxMemory() / USED_PART && Pools.areShort(runtime.maxMemory());
    } catch (OutOfMemoryError e) {
      return true;
    } catch (RuntimeException | LinkageError e) {
      return false; // the JVM does not tell what its collections leave
    }
  }

  /** Loaded when half of the heap is in use for the first time. */
  private static final class Pools {
    private static final List<MemoryPoolMXBean> ALL = find();

    private Pools() {}

    @SuppressWarnings("removal") // a program under a security manager need not have the permission
    private static List<MemoryPoolMXBean> find() {
      return AccessController.doPrivileged(
          (PrivilegedAction<List<MemoryPoolMXBean>>) ManagementFactory::getMemoryPoolMXBeans);
    }

    /** Whether a part for old objects is: only those tell that a threshold is crossed. */
    static boolean areShort(long heapBytes) {
      for (MemoryPoolMXBean pool : ALL) {
        boolean old = pool.getType() == MemoryType.HEAP && pool.isUsageThresholdSupported();
        MemoryUsage left = old ? pool.getCollectionUsage() : null;
        if (left != null) {
          long most = left.getMax() > 0 ? left.getMax() : heapBytes;
          if (left.getUsed() > most - most / FREE_PART) {
            return true;
          }
        }
      }
      return false;
    }
  }
}
