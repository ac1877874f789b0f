package io.karmi.uka.semantics;

import static io.karmi.uka.differential.Observed.attemptType;
import static io.karmi.uka.differential.Observed.event;

import io.karmi.uka.differential.SameProgram;
import java.io.IOException;
import java.io.ObjectInputFilter;
import java.io.ObjectInputFilter.Status;
import java.io.ObjectInputStream;
import java.io.Serializable;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.junit.Test;
import org.junit.runner.RunWith;

/** What a finalizer sees of objects whose reading failed: nothing that was refused. */
@RunWith(SameProgram.class)
@SuppressWarnings({"removal", "deprecation"})
public class FinalizersTest {

  /** Collections that bring no further finalizer, after which none is expected. */
  private static final int QUIET_ROUNDS = 3;

  private static final Queue<String> FINALIZED = new ConcurrentLinkedQueue<>();

  static class Watched implements Serializable {
    int number = 5;
    String text = "text";
    Object content;

    Watched(Object content) {
      this.content = content;
    }

    @Override
    protected void finalize() {
      FINALIZED.add(
          getClass().getSimpleName() + " " + number + " " + text + " " + (content != null));
    }
  }

  static class Above implements Serializable {
    int above = 3;
  }

  static class Below extends Above {
    int below = 4;
    Object content;

    Below(Object content) {
      this.content = content;
    }

    @Override
    protected void finalize() {
      FINALIZED.add("Below " + above + " " + below + " " + (content != null));
    }
  }

  static class Thrower implements Serializable {
    int filler = 1;

    private void readObject(ObjectInputStream in) throws IOException {
      throw new IOException("refused");
    }
  }

  static class Refused implements Serializable {
    int filler = 2;
  }

  /** Is made after all others, and goes with them. */
  static class Sentinel {
    @Override
    protected void finalize() {
      FINALIZED.add("sentinel");
    }
  }

  /** Waits for the finalizers of all that is garbage now, and notes what they have seen. */
  private static void noteFinalizers() throws InterruptedException {
    int before = -1;
    for (int quiet = 0; quiet < QUIET_ROUNDS; ) { // the order of finalizers is open
      awaitSentinel();
      FINALIZED.removeIf("sentinel"::equals);
      quiet = FINALIZED.size() == before ? quiet + 1 : 0;
      before = FINALIZED.size();
    }
    FINALIZED.stream().sorted().forEach(seen -> event("finalized " + seen));
    FINALIZED.clear();
  }

  private static void awaitSentinel() throws InterruptedException {
    FINALIZED.removeIf("sentinel"::equals);
    new Sentinel();
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    while (!FINALIZED.contains("sentinel")) {
      if (System.nanoTime() > deadline) {
        throw new AssertionError("no finalizer has run");
      }
      System.gc();
      TimeUnit.MILLISECONDS.sleep(1);
    }
  }

  private static void read(String label, byte[] bytes, ObjectInputFilter filter) {
    attemptType(
        label,
        () -> {
          try (ObjectInputStream in = Wire.open(bytes)) {
            if (filter != null) {
              in.setObjectInputFilter(filter);
            }
            in.readObject();
            return "read";
          }
        });
  }

  @Test
  public void objectsThatHoldWhatTheFilterRefuses() throws Exception {
    byte[] plain = Wire.write(new Watched(new Refused()));
    byte[] below = Wire.write(new Below(new Refused()));
    byte[] refused = Wire.write(new Watched("content"));
    noteFinalizers();
    ObjectInputFilter filter =
        info -> info.serialClass() == Refused.class ? Status.REJECTED : Status.UNDECIDED;
    read("plain", plain, filter);
    read("below", below, filter);
    read(
        "itself",
        refused,
        info -> info.serialClass() == Watched.class ? Status.REJECTED : Status.UNDECIDED);
    noteFinalizers();
  }

  @Test
  public void objectsThatHoldWhatThrows() throws Exception {
    byte[] plain = Wire.write(new Watched(new Thrower()));
    byte[] nested =
        Wire.write(new Watched(new Object[] {new Watched("inner"), new Below(new Thrower())}));
    noteFinalizers();
    read("plain", plain, null);
    read("nested", nested, null);
    noteFinalizers();
  }
}
