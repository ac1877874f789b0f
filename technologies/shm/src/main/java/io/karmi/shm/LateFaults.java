package io.karmi.shm;

/**
 * Faults of mapped memory that the JVM has not reported yet. When a page is gone because the file
 * was shortened, compiled code goes on with a wrong value, and HotSpot throws the {@code
 * InternalError} from a later point of the same thread, which may be far from the access.
 */
final class LateFaults {
  /** Read from memory, so that no compiler knows the size of the array. */
  private static volatile int size;

  private static volatile Object made = new byte[0][];

  private LateFaults() {}

  /**
   * Throws a fault that the current thread has met before, if the JVM is HotSpot. An array of two
   * dimensions is made by a call into the JVM at every level of compilation, and such a call ends
   * by throwing what is pending. It takes 25 ns, and 16 bytes.
   *
   * @throws InternalError the fault
   */
  static void surface() {
    int none = size;
    made = new byte[none][none];
  }
}
