package io.karmi.uka.semantics;

import static io.karmi.uka.differential.Observed.attempt;
import static io.karmi.uka.differential.Observed.attemptTo;
import static io.karmi.uka.differential.Observed.attemptType;
import static io.karmi.uka.differential.Observed.event;
import static io.karmi.uka.differential.Observed.see;

import io.karmi.uka.differential.SameProgram;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.OutputStream;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import org.junit.Test;
import org.junit.runner.RunWith;

/**
 * Writing that fails in the middle: what the writer sees, what the reader sees, and what goes on
 * afterwards.
 */
@RunWith(SameProgram.class)
public class FailedWritesTest {

  static class Bad implements Serializable {
    Object before = "before";
    Object problem = new Object();
    Object zAfter = "after";
  }

  static class Good implements Serializable {
    String text = "good";
    Good next;
  }

  static class Throwing implements Serializable {
    transient Throwable toThrow;

    Throwing(Throwable toThrow) {
      this.toThrow = toThrow;
    }

    private void writeObject(ObjectOutputStream out) throws Throwable {
      out.writeInt(1);
      out.writeObject("inside");
      throw toThrow;
    }

    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      see("int", in.readInt());
      see("inside", in.readObject());
      in.readObject();
    }
  }

  private static void readAll(byte[] bytes, int attempts) throws IOException {
    try (ObjectInputStream in = Wire.open(bytes)) {
      for (int i = 0; i < attempts; i++) {
        attempt("read", in::readObject);
      }
    }
  }

  @Test
  public void classIsNamed() {
    attemptTo("top", () -> Wire.write(new Object()));
    attemptTo("field", () -> Wire.write(new Bad()));
    attemptTo("array", () -> Wire.write((Object) new Object[] {1, new Thread("x")}));
    attemptTo("list", () -> Wire.write(new ArrayList<>(List.of(new ThreadLocal<>()))));
    attemptTo("lambda", () -> Wire.write((Runnable) () -> {}));
  }

  @Test
  public void streamIsUsableAfterwards() throws Exception {
    Good good = new Good();
    byte[] bytes =
        Wire.writeBy(
            out -> {
              out.writeObject(good);
              attemptTo("bad", () -> out.writeObject(new Object[] {good, new Good(), new Bad()}));
              out.writeObject(good);
              out.writeObject("last");
            });
    readAll(bytes, 4);
  }

  @Test
  public void onlyIoExceptionsReachTheReader() throws Exception {
    for (Throwable thrown :
        new Throwable[] {
          new IOException("io"),
          new IllegalStateException("state"),
          new StackOverflowError("error"),
          new Exception("checked")
        }) {
      thrown.setStackTrace(new StackTraceElement[0]);
      event("-- " + thrown.getMessage());
      byte[] bytes =
          Wire.writeBy(
              out -> {
                attemptTo("write", () -> out.writeObject(new Object[] {"x", new Throwing(thrown)}));
                attemptTo("next", () -> out.writeObject("next"));
              });
      if (thrown instanceof IOException) {
        readAll(bytes, 2);
      }
    }
  }

  @Test
  public void failureInsideAHookThatIsCaught() throws Exception {
    byte[] bytes = Wire.write(new Catching(), "after");
    readAll(bytes, 2);
  }

  static class Catching implements Serializable {
    private void writeObject(ObjectOutputStream out) throws IOException {
      out.writeInt(1);
      attemptTo("inner", () -> out.writeObject(new Object()));
      out.writeInt(2);
      out.writeObject("end");
    }

    private void readObject(ObjectInputStream in) throws IOException {
      attempt("one", in::readInt);
      attempt("two", in::readInt);
      attempt("rest", in::readObject);
    }
  }

  @Test
  public void failureOfAPartInsideAHookThatIsCaught() throws Exception {
    Wire.write(new CatchingPart(false));
    Wire.write(new CatchingPart(true));
  }

  /** Has a part whose method fails when it has written a number. */
  static class CatchingPart implements Serializable {
    private final boolean byDefault;
    private final Object part;

    CatchingPart(boolean byDefault) {
      this.byDefault = byDefault;
      part = byDefault ? new FailingHook() : null;
    }

    private void writeObject(ObjectOutputStream out) throws IOException {
      out.writeInt(1);
      if (byDefault) {
        attemptTo("inner", out::defaultWriteObject);
      } else {
        attemptTo("inner", () -> out.writeObject(new Object[] {new FailingHook()}));
      }
      out.writeInt(2);
    }
  }

  static class FailingHook implements Serializable {
    private void writeObject(ObjectOutputStream out) throws IOException {
      out.writeInt(3);
      throw new IOException("after a number");
    }
  }

  @Test
  public void exceptionThatCannotBeWritten() {
    IOException thrown =
        new IOException("with trouble") {
          final Object trouble = new Object();
        };
    thrown.setStackTrace(new StackTraceElement[0]);
    attemptType("write", () -> Wire.writeBy(out -> out.writeObject(new Throwing(thrown))).length);
  }

  /** Fails after some bytes. */
  static class Full extends OutputStream {
    int room;
    final IOException failure = new IOException("full");

    Full(int room) {
      this.room = room;
    }

    @Override
    public void write(int b) throws IOException {
      if (room-- <= 0) {
        throw failure;
      }
    }
  }

  @Test
  public void exceptionOfTheUnderlyingStreamSurfacesUnchanged() throws Exception {
    Full full = new Full(10);
    ObjectOutputStream out = new ObjectOutputStream(full);
    IOException seen = null;
    try {
      out.writeObject(new Good());
    } catch (IOException e) {
      seen = e;
    }
    see("same", seen == full.failure);
    attemptTo("flush", out::flush);
    attemptTo("again", () -> out.writeObject(new Good()));
    attemptTo("header", () -> new ObjectOutputStream(new Full(0)));
  }

  @Test
  public void runtimeExceptionOfTheUnderlyingStreamPasses() throws Exception {
    OutputStream broken =
        new OutputStream() {
          int count;

          @Override
          public void write(int b) {
            if (count++ > 10) {
              throw new UnsupportedOperationException("broken");
            }
          }
        };
    ObjectOutputStream out = new ObjectOutputStream(broken);
    attemptTo("write", () -> out.writeObject(new Good()));
  }

  @Test
  public void nothingOfAnObjectThatIsRefusedAtOnceIsWritten() throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    ObjectOutputStream out = new ObjectOutputStream(bytes);
    out.writeObject("x");
    attemptTo("refused", () -> out.writeObject(new Object()));
    out.writeObject("y");
    out.flush();
    readAll(bytes.toByteArray(), 3);
  }

  @Test
  public void stateOfTheStreamAfterAnAbortedWrite() throws Exception {
    for (Throwable thrown :
        new Throwable[] {new IOException("io"), new IllegalStateException("state")}) {
      thrown.setStackTrace(new StackTraceElement[0]);
      event("-- " + thrown.getMessage());
      Good good = new Good();
      byte[] bytes =
          Wire.writeBy(
              out -> {
                out.writeInt(1);
                out.writeObject(good);
                attemptTo("write", () -> out.writeObject(new Object[] {new Throwing(thrown)}));
                attemptTo("fields", out::defaultWriteObject);
                attemptTo("put", out::putFields);
                attemptTo("version", () -> out.useProtocolVersion(2));
                attemptTo("int", () -> out.writeInt(2));
                attemptTo("reset", out::reset);
                attemptTo("again", () -> out.writeObject(good));
                attemptTo("string", () -> out.writeUTF("end"));
              });
      if (thrown instanceof IOException) {
        try (ObjectInputStream in = Wire.open(bytes)) {
          see("one", in.readInt());
          attempt("good", in::readObject);
          attempt("aborted", in::readObject);
          attempt("fields", () -> in.readFields());
          attempt("two", in::readInt);
          attempt("again", in::readObject);
          attempt("end", in::readUTF);
          attempt("over", in::read);
        }
      }
    }
  }
}
