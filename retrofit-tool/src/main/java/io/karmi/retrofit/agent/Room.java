package io.karmi.retrofit.agent;

import java.security.CodeSource;
import java.security.ProtectionDomain;
import org.jspecify.annotations.Nullable;

/**
 * Check that enough stack and heap is left to define or rewrite a class.
 *
 * <p>It uses both before anything else begins: an error in the middle might leave classes of the
 * JDK uninitialized for good. A recursion with wide frames uses the stack, compiled or not.
 */
public final class Room {
  /** Depth of about 30 kB compiled and 60 kB interpreted. */
  private static final int DEFINING_DEPTH = 180;

  /** Depth of twice as much stack. */
  private static final int REWRITING_DEPTH = 2 * DEFINING_DEPTH;

  /** Free heap, in bytes, below which an allocation is tried. */
  private static final long LITTLE_HEAP_BYTES = 4 << 20;

  /** Allocation that is tried, in bytes: more than rewriting most classes takes. */
  private static final int TRIED_BYTES = 256 << 10;

  private static volatile int triedBytes;

  private Room() {}

  /**
   * The code source of a class that is about to be defined. Called by {@code
   * java.lang.ClassLoader}.
   *
   * @throws VirtualMachineError if stack or heap is short; the class can be defined later
   */
  public static @Nullable CodeSource getCodeSource(ProtectionDomain domain) {
    require();
    return domain.getCodeSource();
  }

  private static void tryHeap() {
    Runtime runtime = Runtime.getRuntime();
    long free = runtime.freeMemory() + runtime.maxMemory() - runtime.totalMemory();
    if (free < LITTLE_HEAP_BYTES) {
      triedBytes = new byte[TRIED_BYTES].length;
    }
  }

  /**
   * Requires enough for the JVM to call the agent, and the agent to start a thread. Where the stack
   * ends in between, the JVM defines the class unchanged.
   */
  private static void require() {
    use(DEFINING_DEPTH, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16);
    tryHeap();
  }

  /** Whether there is enough stack to rewrite a class. */
  static boolean isEnough() {
    try {
      use(REWRITING_DEPTH, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16);
      return true;
    } catch (StackOverflowError e) {
      return false;
    }
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
