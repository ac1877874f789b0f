package io.karmi.technology;

import io.karmi.id.ObjectId;
import java.rmi.ConnectException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A call that this node forwards for another one, and the number of nodes that have forwarded it so
 * far. Immutable.
 *
 * <p>The count is sent along in the header of the call, so that a call which forged references lead
 * around bridges ends. Calls that are not forwarded have none.
 */
public final class ForwardedCall {
  /** Name of the header with the count, in decimal. */
  public static final String HEADER = "karmi-hops";

  /**
   * Upper bound of the bridges that one call may pass. There are hardly ever more than two between
   * two nodes.
   */
  public static final int MAXIMUM = 8;

  private static final ThreadLocal<@Nullable ForwardedCall> CURRENT = new ThreadLocal<>();

  private final ObjectId callee;
  private final int hops;

  private ForwardedCall(ObjectId callee, int hops) {
    this.callee = callee;
    this.hops = hops;
  }

  /**
   * A call that has come in and is to be forwarded.
   *
   * @param header of the call as it came: a claim, which is refused if it makes no sense
   * @throws ConnectException if it has passed too many bridges
   */
  public static ForwardedCall of(Map<String, String> header, ObjectId callee)
      throws ConnectException {
    int passed = passed(header.get(HEADER));
    if (passed < 0 || passed >= MAXIMUM) {
      throw new ConnectException(
          "call of "
              + callee
              + " has passed "
              + (passed < 0 ? "a senseless number of" : passed)
              + " bridges, and no more than "
              + MAXIMUM
              + " may forward it: it has not been executed. Its reference leads around bridges, as"
              + " a forged one may; get a new one from the object's owner");
    }
    return new ForwardedCall(callee, passed + 1);
  }

  /** The count in a header; negative if it is invalid. */
  private static int passed(@Nullable String text) {
    if (text == null) {
      return 0;
    }
    try {
      return Integer.parseInt(text);
    } catch (NumberFormatException e) {
      return -1;
    }
  }

  static @Nullable ForwardedCall current() {
    return CURRENT.get();
  }

  /** Sets the call that the current thread forwards; returns what {@link #leave} needs. */
  public static @Nullable ForwardedCall enter(ForwardedCall call) {
    ForwardedCall outer = CURRENT.get();
    CURRENT.set(call);
    return outer;
  }

  /** Ends what {@link #enter} began. */
  public static void leave(@Nullable ForwardedCall outer) {
    if (outer == null) {
      CURRENT.remove();
    } else {
      CURRENT.set(outer);
    }
  }

  /**
   * Adds the count to a call that leaves, if it is the one that the current thread forwards. Other
   * calls that it makes meanwhile are its own.
   */
  public static void count(ObjectId target, Map<String, String> header) {
    ForwardedCall call = CURRENT.get();
    if (call != null && call.callee.equals(target)) {
      header.put(HEADER, String.valueOf(call.hops));
    }
  }
}
