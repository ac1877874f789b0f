package io.karmi.retrofit.agent;

/**
 * Check that enough stack and heap is left to rewrite a class.
 *
 * <p>It uses both before anything else begins: an error in the middle might leave classes of the
 * agent or of the JDK uninitialized for good. A recursion with wide frames uses the stack, compiled
 * or not.
 */
final class RoomCheck {
  /** Depth of about 60 kB compiled and 120 kB interpreted. */
  private static final int DEPTH = 360;

  /** Free heap, in bytes, below which an allocation is tried. */
  private static final long LITTLE_HEAP_BYTES = 4 << 20;

  /** Allocation that is tried, in bytes: more than rewriting most classes takes. */
  private static final int TRIED_BYTES = 1 << 20;

  private static volatile int triedBytes;

  private RoomCheck() {}

  /**
   * Requires both.
   *
   * @throws VirtualMachineError if there is not enough
   */
  static void require() {
    Runtime runtime = Runtime.getRuntime();
    if (runtime.freeMemory() + runtime.maxMemory() - runtime.totalMemory() < LITTLE_HEAP_BYTES) {
      triedBytes = new byte[TRIED_BYTES].length;
    }
    use(DEPTH, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16);
  }

  /** Uses all parameters after the call, so that a compiler keeps them in the frame. */
  private static long use(
      int depth,
      long a,
      long b,
      long c,
      long d,
      long e,
      long f,
      long g,
      long h,
      long i,
      long j,
      long k,
      long l,
      long m,
      long n,
      long o,
      long p) {
    if (depth == 0) {
      return a;
    }
    long below = use(depth - 1, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, a);
    return below ^ a + b * c + d * e + f * g + h * i + j * k + l * m + n * o + p;
  }
}
