package io.karmi.uka.semantics;

import static io.karmi.uka.differential.Observed.attempt;
import static io.karmi.uka.differential.Observed.attemptTo;
import static io.karmi.uka.differential.Observed.attemptType;
import static io.karmi.uka.differential.Observed.attemptTypeTo;
import static io.karmi.uka.differential.Observed.event;
import static io.karmi.uka.differential.Observed.see;

import io.karmi.uka.differential.Observed;
import io.karmi.uka.differential.SameProgram;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.FilterInputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.OutputStream;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import org.junit.Test;
import org.junit.runner.RunWith;

/** Headers, flush, close, reset, and several streams on one underlying stream. */
@RunWith(SameProgram.class)
public class LifecycleTest {

  /** Reports flush and close, and what has arrived since it was asked last. */
  static class Watched extends FilterOutputStream {
    final ByteArrayOutputStream bytes;
    int seen;

    Watched(ByteArrayOutputStream bytes) {
      super(bytes);
      this.bytes = bytes;
    }

    @Override
    public void write(byte[] b, int off, int len) {
      bytes.write(b, off, len);
    }

    @Override
    public void flush() {
      event("flush");
    }

    @Override
    public void close() {
      event("close");
    }

    void look(String label) {
      see(label + " arrived", bytes.size() > seen);
      seen = bytes.size();
    }
  }

  static class WatchedInput extends FilterInputStream {
    WatchedInput(InputStream in) {
      super(in);
    }

    @Override
    public void close() {
      event("close");
    }
  }

  static class Node implements Serializable {
    int number;
    String text = "text";

    Node(int number) {
      this.number = number;
    }
  }

  @Test
  public void whatHasArrivedAndWhen() throws Exception {
    Watched watched = new Watched(new ByteArrayOutputStream());
    ObjectOutputStream out = new ObjectOutputStream(watched);
    watched.look("after the constructor");
    out.flush();
    watched.look("after flush");
    out.writeObject(new Node(1));
    watched.look("after an object");
    out.writeObject("text");
    watched.look("after a string");
    out.writeObject(null);
    watched.look("after null");
    out.writeInt(5);
    watched.look("after an int");
    out.writeObject("x");
    watched.look("after an object behind it");
    out.writeInt(5);
    out.flush();
    watched.look("after flush");
    out.write(new byte[1024]);
    watched.look("after one block");
    out.write(new byte[3000]);
    watched.look("after many bytes");
    out.reset();
    watched.look("after reset");
    out.writeUnshared(new Node(2));
    watched.look("after unshared");
    out.writeInt(6);
    out.close();
    watched.look("after close");
    out.close();
  }

  @Test
  public void headerIsWrittenAndReadAtOnce() throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    new ObjectOutputStream(bytes).flush();
    see("something", bytes.size() > 0);
    attemptTo("header", () -> new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray())));
    attemptType("empty", () -> new ObjectInputStream(new ByteArrayInputStream(new byte[0])));
    attemptType(
        "half", () -> new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray(), 0, 3)));
    attemptType("wrong", () -> new ObjectInputStream(new ByteArrayInputStream(new byte[10])));
    attemptTo("null output", () -> new ObjectOutputStream(null));
    attemptTo("null input", () -> new ObjectInputStream(null));
  }

  @Test
  public void closingTwiceAndUsingAfterwards() throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    ObjectOutputStream out = new ObjectOutputStream(new Watched(bytes));
    out.writeObject("x");
    out.close();
    out.close();
    attemptTo("write object", () -> out.writeObject("y"));
    attemptTo("write int", () -> out.writeInt(1));
    attemptTo("flush", out::flush);
    ByteArrayOutputStream good = new ByteArrayOutputStream();
    ObjectOutputStream plain = new ObjectOutputStream(good);
    plain.writeInt(5);
    plain.writeObject("x");
    plain.close();
    ObjectInputStream in =
        new ObjectInputStream(new WatchedInput(new ByteArrayInputStream(good.toByteArray())));
    see("int", in.readInt());
    in.close();
    in.close();
    attemptTypeTo("read int", in::readInt);
    attemptTypeTo("available", in::available);
  }

  @Test
  public void sourceIsNeverAskedForMoreThanItMustGive() throws Exception {
    byte[] bytes =
        Wire.writeBy(
            out -> {
              out.writeObject(new Node(1));
              out.writeInt(2);
              out.writeObject("x".repeat(3000));
            });
    try (ObjectInputStream in =
        new ObjectInputStream(new WatchedInput(new ByteArrayInputStream(bytes)))) {
      see("node", in.readObject());
      see("available", in.available());
      see("int", in.readInt());
      see("available", in.available());
      see("string", ((String) in.readObject()).length());
    }
  }

  @Test
  public void severalStreamsOnOneUnderlyingStream() throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    for (int i = 0; i < 3; i++) {
      ObjectOutputStream out = new ObjectOutputStream(bytes);
      out.writeObject(new Node(i));
      out.writeInt(i);
      out.writeObject(List.of("a", i));
      out.flush();
      bytes.write(i);
    }
    Observed.bytes("written", bytes.toByteArray());
    InputStream source = new ByteArrayInputStream(bytes.toByteArray());
    for (int i = 0; i < 3; i++) {
      ObjectInputStream in = new ObjectInputStream(source);
      see("node", in.readObject());
      see("int", in.readInt());
      see("list", in.readObject());
      see("byte of the source", source.read());
    }
    see("end", source.read());
  }

  @Test
  public void twoStreamsInTurn() throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    ObjectOutputStream one = new ObjectOutputStream(bytes);
    ObjectOutputStream two = new ObjectOutputStream(bytes);
    one.flush();
    two.flush();
    for (int i = 0; i < 3; i++) {
      one.writeObject(new Node(i));
      two.writeObject("two " + i);
    }
    one.flush();
    InputStream source = new ByteArrayInputStream(bytes.toByteArray());
    ObjectInputStream first = new ObjectInputStream(source);
    ObjectInputStream second = new ObjectInputStream(source);
    for (int i = 0; i < 3; i++) {
      see("first", first.readObject());
      see("second", second.readObject());
    }
  }

  /** The well-known idiom to append to a file of objects. */
  static class Appending extends ObjectOutputStream {
    Appending(OutputStream out) throws IOException {
      super(out);
    }

    @Override
    protected void writeStreamHeader() throws IOException {
      reset();
    }
  }

  @Test
  public void appendingWithoutAHeader() throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    ObjectOutputStream first = new ObjectOutputStream(bytes);
    first.writeObject(new Node(1));
    first.close();
    for (int i = 2; i < 4; i++) {
      ObjectOutputStream more = new Appending(bytes);
      more.writeObject(new Node(i));
      more.close();
    }
    try (ObjectInputStream in =
        new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
      for (int i = 1; i < 5; i++) {
        attempt("node", in::readObject);
      }
    }
  }

  @Test
  public void aSecondHeaderIsRefusedHoweverOftenItIsRead() throws Exception {
    for (int known = 1; known < 40; known++) {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      ObjectOutputStream first = new ObjectOutputStream(bytes);
      for (int i = 0; i < known; i++) {
        first.writeObject("text " + i);
      }
      first.flush();
      ObjectOutputStream second = new ObjectOutputStream(bytes);
      second.writeObject("more");
      second.writeObject(new int[100]);
      second.flush();
      ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()));
      for (int i = 0; i < known; i++) {
        see("known", in.readObject());
      }
      for (int i = 0; i < 3; i++) {
        attemptType("appended", in::readObject);
      }
    }
  }

  static class NoHeader extends ObjectOutputStream {
    NoHeader(OutputStream out) throws IOException {
      super(out);
    }

    @Override
    protected void writeStreamHeader() {
      event("writeStreamHeader");
    }
  }

  static class NoHeaderInput extends ObjectInputStream {
    NoHeaderInput(InputStream in) throws IOException {
      super(in);
    }

    @Override
    protected void readStreamHeader() {
      event("readStreamHeader");
    }
  }

  @Test
  public void streamsWithoutHeaders() throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    ObjectOutputStream out = new NoHeader(bytes);
    out.flush();
    see("nothing", bytes.size());
    out.writeObject(new Node(7));
    out.writeInt(8);
    out.close();
    ObjectInputStream in = new NoHeaderInput(new ByteArrayInputStream(bytes.toByteArray()));
    see("node", in.readObject());
    see("int", in.readInt());
  }

  /** What the header has, objects too, is of the same stream as what follows. */
  static class LongHeader extends ObjectOutputStream {
    LongHeader(OutputStream out) throws IOException {
      super(out);
    }

    @Override
    protected void writeStreamHeader() throws IOException {
      super.writeStreamHeader();
      writeObject("in the header");
      writeInt(3);
      writeObject(new Node(4));
    }
  }

  static class LongHeaderInput extends ObjectInputStream {
    LongHeaderInput(InputStream in) throws IOException {
      super(in);
    }

    @Override
    protected void readStreamHeader() throws IOException {
      super.readStreamHeader();
      attempt("text", this::readObject);
      attempt("int", this::readInt);
      attempt("node", this::readObject);
    }
  }

  @Test
  public void headersWithObjects() throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    ObjectOutputStream out = new LongHeader(bytes);
    out.writeObject(new Object[] {"in the header", new Node(5)});
    out.close();
    ObjectInputStream in = new LongHeaderInput(new ByteArrayInputStream(bytes.toByteArray()));
    see("array", in.readObject());
  }

  @Test
  public void resetForgetsObjectsAndClasses() throws Exception {
    Node node = new Node(1);
    byte[] bytes =
        Wire.writeBy(
            out -> {
              out.writeObject(node);
              out.writeObject(node);
              out.reset();
              out.writeObject(node);
              out.reset();
              out.reset();
              out.writeInt(5);
              out.reset();
              out.writeObject(new Object[] {node, "x"});
            });
    try (ObjectInputStream in = Wire.open(bytes)) {
      List<Object> read = new ArrayList<>();
      read.add(in.readObject());
      read.add(in.readObject());
      read.add(in.readObject());
      see("int", in.readInt());
      read.add(in.readObject());
      see("read", read);
    }
  }

  static class Resetting implements Serializable {
    private void writeObject(ObjectOutputStream out) throws IOException {
      attemptTo("reset inside", out::reset);
      attemptTo("flush inside", out::flush);
      attemptTo("protocol inside", () -> out.useProtocolVersion(1));
      out.writeInt(1);
    }

    private void readObject(ObjectInputStream in) throws IOException {
      see("int", in.readInt());
    }
  }

  @Test
  public void resetInsideAnObjectIsRefused() throws Exception {
    see("copies", Wire.read(Wire.write(new Resetting(), new Resetting()), 2));
  }

  /** A connection that tells why it has ended. */
  private static final class LostConnection extends FilterInputStream {
    LostConnection(byte[] bytes, int arrived) {
      super(new ByteArrayInputStream(bytes, 0, arrived));
    }

    private int told(int count) throws EOFException {
      if (count < 0) {
        throw new EOFException("the peer has closed the connection");
      }
      return count;
    }

    @Override
    public int read() throws IOException {
      return told(super.read());
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
      return told(super.read(bytes, offset, length));
    }
  }

  @Test
  public void whatASourceTellsAboutItsEndIsWhatTheReaderSees() throws Exception {
    byte[] bytes = Wire.write("first", "second");
    attemptTo("header", () -> new ObjectInputStream(new LostConnection(bytes, 0)));
    try (ObjectInputStream in = new ObjectInputStream(new LostConnection(bytes, bytes.length))) {
      see("first", in.readObject());
      see("second", in.readObject());
      attempt("object", in::readObject);
    }
    try (ObjectInputStream in = new ObjectInputStream(new LostConnection(bytes, bytes.length))) {
      see("first", in.readObject());
      see("second", in.readObject());
      attempt("number", in::readInt);
    }
  }
}
