package io.karmi.retrofit.agent;

/**
 * Check that enough stack is left to rewrite a class.
 *
 * <p>It uses the stack before anything else begins, by a recursion with wide frames, compiled or
 * not.
 */
final class StackCheck {
  /** Depth of about 60 kB compiled and 120 kB interpreted. */
  private static final int DEPTH = 360;

  private StackCheck() {}

  /**
   * Requires the stack.
   *
   * @throws StackOverflowError if there is not enough
   */
  static void require() {
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
