package io.karmi.uka.semantics;

import static io.karmi.uka.differential.Observed.attempt;
import static io.karmi.uka.differential.Observed.attemptTo;
import static io.karmi.uka.differential.Observed.attemptTypeTo;
import static io.karmi.uka.differential.Observed.event;
import static io.karmi.uka.differential.Observed.see;

import io.karmi.uka.differential.SameProgram;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.Externalizable;
import java.io.IOException;
import java.io.InputStream;
import java.io.InvalidObjectException;
import java.io.ObjectInput;
import java.io.ObjectInputFilter;
import java.io.ObjectInputStream;
import java.io.ObjectOutput;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamClass;
import java.io.OptionalDataException;
import java.io.OutputStream;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import org.junit.Test;
import org.junit.runner.RunWith;

/**
 * Hooks that use the stream, or other streams, in unusual ways; what they throw; streams closed
 * underneath them.
 */
@RunWith(SameProgram.class)
public class ReentrancyTest {

  interface Writing {
    void run(ObjectOutputStream out) throws Exception;
  }

  interface Reading {
    void run(ObjectInputStream in) throws Exception;
  }

  static Writing writing;
  static Reading reading;

  static class Hooked implements Serializable {
    int number = 7;

    private void writeObject(ObjectOutputStream out) throws Exception {
      out.defaultWriteObject();
      writing.run(out);
    }

    private void readObject(ObjectInputStream in) throws Exception {
      in.defaultReadObject();
      reading.run(in);
    }
  }

  static class Node implements Serializable {
    Object to;

    Node(Object to) {
      this.to = to;
    }
  }

  /** A copy by streams of its own, made inside a hook. */
  static class Copying implements Serializable {
    Object content;

    Copying(Object content) {
      this.content = content;
    }

    private void writeObject(ObjectOutputStream out) throws IOException {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      try (ObjectOutputStream inner = new ObjectOutputStream(bytes)) {
        inner.writeObject(content);
      }
      out.writeInt(bytes.size());
      out.write(bytes.toByteArray());
    }

    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      byte[] bytes = new byte[in.readInt()];
      in.readFully(bytes);
      try (ObjectInputStream inner = new ObjectInputStream(new ByteArrayInputStream(bytes))) {
        content = inner.readObject();
      }
    }
  }

  /** A stream that runs inside the data of another. */
  static class Tunnelling implements Serializable {
    Object content;

    Tunnelling(Object content) {
      this.content = content;
    }

    private void writeObject(ObjectOutputStream out) throws IOException {
      ObjectOutputStream inner = new ObjectOutputStream(out);
      inner.writeObject(content);
      inner.writeInt(5);
      inner.flush();
      out.writeInt(6);
    }

    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      ObjectInputStream inner = new ObjectInputStream(in);
      content = inner.readObject();
      see("inner", inner.readInt());
      see("outer", in.readInt());
    }
  }

  @Test
  public void streamsInsideHooks() throws Exception {
    Node shared = new Node("x");
    see(
        "copying",
        Wire.copyQuietly(
            new Object[] {
              shared, new Copying(new Object[] {shared, new Copying(shared)}), shared
            }));
    see(
        "tunnelling",
        Wire.copyQuietly(
            new Object[] {shared, new Tunnelling(shared), new Tunnelling("y"), shared}));
  }

  @Test
  public void hooksThatWriteTheObjectBeingWritten() throws Exception {
    Hooked hooked = new Hooked();
    writing = out -> out.writeObject(new Object[] {hooked, new Node(hooked)});
    reading = in -> see("inside", in.readObject());
    see("copy", Wire.copy(hooked));
  }

  @Test
  public void hooksThatWriteOthersOfTheirClass() throws Exception {
    int[] depth = {0};
    writing =
        out -> {
          if (depth[0]++ < 20) {
            out.writeObject(new Hooked());
          }
          out.writeInt(depth[0]);
        };
    reading =
        in -> {
          if (--depth[0] > 0) {
            in.readObject();
          }
          event("number " + in.readInt());
        };
    see("copy", Wire.copy(new Hooked()));
  }

  /** Writes its fields last, when others have been written in between. */
  static class Late implements Serializable {
    final int number;
    final transient Object before;

    Late(int number, Object before) {
      this.number = number;
      this.before = before;
    }

    private void writeObject(ObjectOutputStream out) throws IOException {
      out.writeObject(before);
      out.defaultWriteObject();
    }

    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      see("before", in.readObject());
      in.defaultReadObject();
      see("number", number);
    }
  }

  /** Has no fields to write, unlike what it contains. */
  public static class Between implements Externalizable {
    Object content;

    public Between() {}

    Between(Object content) {
      this.content = content;
    }

    @Override
    public void writeExternal(ObjectOutput out) throws IOException {
      attemptTo(
          "default write of an externalizable", ((ObjectOutputStream) out)::defaultWriteObject);
      out.writeObject(content);
    }

    @Override
    public void readExternal(ObjectInput in) throws IOException, ClassNotFoundException {
      attemptTo("default read of an externalizable", ((ObjectInputStream) in)::defaultReadObject);
      content = in.readObject();
    }
  }

  @Test
  public void hooksFindTheirObjectAgainAfterOthers() throws Exception {
    Late innermost = new Late(3, null);
    see("copy", Wire.copy(new Late(1, new Between(new Late(2, innermost)))));
    see("in a row", Wire.copy(new Object[] {new Late(4, innermost), new Late(5, innermost)}));
  }

  @Test
  public void anotherThreadMayGoOnWithTheStream() throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    ObjectOutputStream out = new ObjectOutputStream(bytes);
    out.writeObject("main");
    elsewhere(
        () -> {
          out.writeObject("other");
          return null;
        });
    out.writeObject("main again");
    out.close();
    ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()));
    see("main", in.readObject());
    see("other", elsewhere(in::readObject));
    see("again", in.readObject());
  }

  private static <T> T elsewhere(Callable<T> action) throws Exception {
    FutureTask<T> task = new FutureTask<>(action);
    Thread thread = new Thread(task);
    thread.start();
    thread.join(30_000);
    return task.get();
  }

  @Test
  public void hooksBelongToTheirThread() throws Exception {
    writing =
        out ->
            attemptTo(
                "default write elsewhere",
                () ->
                    elsewhere(
                        () -> {
                          out.putFields();
                          return null;
                        }));
    reading = in -> {};
    Wire.write(new Hooked());
  }

  @Test
  public void exceptionsOfHooksPassUnwrapped() throws Exception {
    for (Throwable thrown :
        new Throwable[] {
          new IOException("io"),
          new IllegalStateException("state"),
          new StackOverflowError("error"),
          new ClassNotFoundException("missing"),
          new InterruptedException("checked"),
          new NoClassDefFoundError("gone"),
          new java.io.EOFException("early")
        }) {
      writing = out -> sneak(thrown);
      Wire.tryToWrite("write", new Node(new Hooked()));
      writing = out -> {};
      reading = in -> sneak(thrown);
      byte[] bytes = Wire.write(new Node(new Hooked()));
      attempt("read", () -> Wire.read(bytes));
    }
  }

  /** Throws what its methods do not declare, as other languages let them. */
  public static class Undeclared implements Externalizable {
    static boolean onWrite;

    @Override
    public void writeExternal(ObjectOutput out) {
      if (onWrite) {
        ReentrancyTest.<RuntimeException>sneak(new InterruptedException("while writing"));
      }
    }

    @Override
    public void readExternal(ObjectInput in) {
      ReentrancyTest.<RuntimeException>sneak(new InterruptedException("while reading"));
    }
  }

  @Test
  public void undeclaredExceptionsPassThroughCollectionsAsThroughHooks() throws Exception {
    for (Object holder :
        new Object[] {
          new Node(new Undeclared()),
          new ArrayList<>(List.of(new Undeclared())),
          new Node(new java.util.LinkedHashMap<>(java.util.Map.of("key", new Undeclared()))),
          List.of(new Undeclared()),
          new java.util.ArrayDeque<>(List.of(new Undeclared())),
          new java.util.TreeMap<>(java.util.Map.of(1, new Undeclared())),
          new java.util.concurrent.ConcurrentHashMap<>(java.util.Map.of(1, new Undeclared())),
          new Object[] {new java.util.LinkedList<>(List.of(new Undeclared()))},
        }) {
      Undeclared.onWrite = true;
      Wire.tryToWrite("write", holder);
      Undeclared.onWrite = false;
      byte[] bytes = Wire.write(holder);
      attempt("read", () -> Wire.read(bytes));
    }
  }

  @SuppressWarnings("unchecked")
  private static <T extends Throwable> void sneak(Throwable thrown) throws T {
    throw (T) thrown;
  }

  @Test
  public void streamIsReadableAfterAHookThrew() throws Exception {
    writing = out -> {};
    reading = in -> sneak(new IllegalStateException("at the end of its data"));
    byte[] bytes = Wire.write("first", new Hooked(), "unreachable");
    try (ObjectInputStream in = Wire.open(bytes)) {
      see("first", in.readObject());
      attempt("second", in::readObject);
    }
  }

  /** Goes on where its fields could not be read. */
  static class Enduring implements Serializable {
    Object refused = new ArrayList<>(List.of(new Between("refused")));

    private void writeObject(ObjectOutputStream out) throws IOException {
      out.defaultWriteObject();
    }

    private void readObject(ObjectInputStream in) {
      attemptTo("fields", in::defaultReadObject);
    }
  }

  @Test
  public void hooksMayGoOnWhereAFieldIsRefused() throws Exception {
    byte[] bytes = Wire.write(new Node(new Enduring()));
    try (ObjectInputStream in = Wire.open(bytes)) {
      in.setObjectInputFilter(
          info ->
              info.serialClass() == Between.class
                  ? ObjectInputFilter.Status.REJECTED
                  : ObjectInputFilter.Status.UNDECIDED);
      attempt("what has it", in::readObject);
    }
  }

  /** Fails where some of its data is unread, or when nothing has been done but to look at it. */
  static class Leaving implements Serializable {
    boolean looks;
    boolean fails;

    Leaving(boolean looks, boolean fails) {
      this.looks = looks;
      this.fails = fails;
    }

    private void writeObject(ObjectOutputStream out) throws IOException {
      out.defaultWriteObject();
      out.writeInt(1);
      out.writeLong(2);
    }

    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      in.defaultReadObject();
      see("data", looks ? in.available() : in.readInt());
      if (fails) {
        throw new InvalidObjectException("refused");
      }
    }
  }

  /** Goes on where its fields could not be read. */
  static class AroundLeaving implements Serializable {
    Object part;

    AroundLeaving(Object part) {
      this.part = part;
    }

    private void writeObject(ObjectOutputStream out) throws IOException {
      out.defaultWriteObject();
    }

    private void readObject(ObjectInputStream in) throws IOException {
      attemptTo("fields", in::defaultReadObject);
      attempt("available", () -> in.available() > 0);
      throw new InvalidObjectException("refused, too");
    }
  }

  @Test
  public void aPartThatFailsEndsItsBlockInsideOfEachKindOfObject() throws Exception {
    for (boolean looks : new boolean[] {false, true}) {
      Leaving leaving = new Leaving(looks, true);
      for (Object around :
          new Object[] {
            new Node(leaving),
            new Node(new Node(leaving)),
            new Object[] {leaving},
            new AroundLeaving(new Node(leaving))
          }) {
        byte[] bytes = Wire.write(new Node(new Leaving(looks, false)), around, "next");
        try (ObjectInputStream in = Wire.open(bytes)) {
          in.readObject();
          attempt("around", in::readObject);
          attempt("in block", () -> isInBlock(in));
        }
      }
    }
  }

  private static boolean isInBlock(ObjectInputStream in) throws ClassNotFoundException {
    try {
      in.readObject();
      return false;
    } catch (IOException | RuntimeException e) {
      return e instanceof OptionalDataException;
    }
  }

  @Test
  public void closingInsideCallbacksIsSurvived() throws Exception {
    Node shared = new Node("shared");
    writing = out -> {};
    reading = in -> in.close();
    byte[] bytes = Wire.write(new Object[] {shared, new Hooked(), shared, new Node(shared)}, "x");
    ObjectInputStream in = Wire.open(bytes);
    attempt("read", in::readObject);
    ByteArrayOutputStream sink = new ByteArrayOutputStream();
    ObjectOutputStream out = new ObjectOutputStream(sink);
    writing = ObjectOutputStream::close;
    attemptTo("write", () -> out.writeObject(new Object[] {shared, new Hooked(), shared, "last"}));
    reading = stream -> {};
    out.flush();
    attempt("what was written", () -> Wire.read(sink.toByteArray()));
  }

  @Test
  public void closingInsideCallbacksLeavesOutTheRestOfTheBlock() throws Exception {
    for (int length : new int[] {1, 200, 1000, 3000}) {
      writing = out -> out.write(new byte[length]);
      reading = ReentrancyTest::readAndClose;
      byte[] bytes = Wire.write(new Object[] {new Hooked(), "behind"}, "next");
      ObjectInputStream in = Wire.open(bytes);
      attempt("read " + length, in::readObject);
      attempt("next", in::readObject);
    }
  }

  private static void readAndClose(ObjectInputStream in) throws IOException {
    try (DataInputStream data = new DataInputStream(in)) {
      data.readByte();
    }
  }

  @Test
  public void closingInsideOverriddenMethodsIsSurvived() throws Exception {
    byte[] bytes = Wire.write((Object) new Object[] {new Node("a"), new Node("b")});
    ObjectInputStream in =
        new ObjectInputStream(new ByteArrayInputStream(bytes)) {
          @Override
          protected Class<?> resolveClass(ObjectStreamClass description)
              throws IOException, ClassNotFoundException {
            close();
            return super.resolveClass(description);
          }
        };
    attempt("read", in::readObject);
  }

  @Test
  public void headersMayUseTheStream() throws Exception {
    class HeaderOut extends ObjectOutputStream {
      HeaderOut(OutputStream out) throws IOException {
        super(out);
      }

      @Override
      protected void writeStreamHeader() throws IOException {
        event("header");
        super.writeStreamHeader();
        writeInt(42);
        writeUTF("own header");
      }
    }
    class HeaderIn extends ObjectInputStream {
      HeaderIn(InputStream in) throws IOException {
        super(in);
      }

      @Override
      protected void readStreamHeader() throws IOException {
        super.readStreamHeader();
        see("number", readInt());
        see("text", readUTF());
      }
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new HeaderOut(bytes)) {
      out.writeObject(new Node("after the header"));
    }
    try (ObjectInputStream in = new HeaderIn(new ByteArrayInputStream(bytes.toByteArray()))) {
      see("object", in.readObject());
    }
  }

  @Test
  public void deepHooksUnwind() throws Exception {
    List<Object> nested = new ArrayList<>();
    for (int i = 0; i < 300; i++) {
      nested = new ArrayList<>(List.of(nested));
    }
    List<?> copy = Wire.copy(nested);
    int depth = 0;
    while (!copy.isEmpty()) {
      copy = (List<?>) copy.get(0);
      depth++;
    }
    see("depth", depth);
  }

  @Test
  public void stackOverflowsAreErrors() throws Exception {
    writing = out -> out.writeObject(new Hooked());
    attemptTypeTo(
        "endless",
        () ->
            elsewhere(
                () -> {
                  new ObjectOutputStream(OutputStream.nullOutputStream()).writeObject(new Hooked());
                  return null;
                }));
  }
}
