package io.karmi.contract;

import io.karmi.id.ObjectId;
import io.karmi.id.TechnologyId;
import io.karmi.marshal.Arguments;
import io.karmi.marshal.CallOutput;
import io.karmi.technology.Technology;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Callees that most tests of technologies need, and calls of them. */
public final class Nodes {
  static final ClassLoader LOADER = Nodes.class.getClassLoader();

  /** The method of a {@link #successor} that takes bytes before the int. */
  private static final int AFTER_BYTES = 1;

  private Nodes() {}

  /** A node whose object returns the int that it is given, plus one. */
  public static Callee successor() {
    return successorAfter(() -> {});
  }

  /** Action of a callee before it answers. */
  public interface Delay {
    /** Returns when the call may be answered. */
    void pass() throws Exception;
  }

  /** As {@link #successor}; it answers after a delay. */
  public static Callee successorAfter(Delay delay) {
    return new Callee(
        (call, in, out) -> {
          if (call.methodNumber() == AFTER_BYTES) {
            in.readObject();
          }
          int value = in.readInt();
          in.endArguments();
          delay.pass();
          out.beginResult();
          out.writeInt(value + 1);
        });
  }

  /** As {@link #successor}; it answers when that many callers are there at once. */
  public static Callee successorFor(int callers) {
    CountDownLatch allThere = new CountDownLatch(callers);
    return successorAfter(
        () -> {
          allThere.countDown();
          if (!allThere.await(90, TimeUnit.SECONDS)) {
            throw new IllegalStateException(allThere.getCount() + " callers are missing");
          }
        });
  }

  /** A node that only calls. */
  public static Callee caller() {
    return new Callee(
        (call, in, out) -> {
          throw new IOException("this node is not called");
        });
  }

  /** Properties of a test's own: names and values in turn. */
  public static UnaryOperator<@Nullable String> settings(String... namesAndValues) {
    Map<String, String> chosen = new HashMap<>();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      chosen.put(namesAndValues[i], namesAndValues[i + 1]);
    }
    return chosen::get;
  }

  /** The object of a node. */
  public static ObjectId object(Callee node, TechnologyId way) {
    return new ObjectId(node.node(), Callee.OBJECT, way);
  }

  /** Calls a {@link #successor}. */
  public static int next(Technology from, ObjectId target, int value) throws Exception {
    Arguments one =
        new Arguments() {
          @Override
          public void marshal(CallOutput out) throws IOException {
            out.writeInt(value);
          }
        };
    return next(from, target, one);
  }

  /** The same with arguments that write the int. */
  public static int next(Technology from, ObjectId target, Arguments one) throws Exception {
    return (int) from.bitsApplicationCall(Integer.BYTES, target, Callee.METHODS, 0, one, LOADER);
  }

  /** The same with as many bytes before the int, of which the callee must get the last one. */
  public static int nextAfterBytes(Technology from, ObjectId target, int bytes, int value)
      throws Exception {
    Arguments both =
        new Arguments() {
          @Override
          public void marshal(CallOutput out) throws IOException {
            out.writeObject(new byte[bytes]);
            out.writeInt(value);
          }
        };
    return (int)
        from.bitsApplicationCall(Integer.BYTES, target, Callee.METHODS, AFTER_BYTES, both, LOADER);
  }
}
