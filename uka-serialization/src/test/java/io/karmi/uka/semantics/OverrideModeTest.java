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
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamClass;
import java.io.OutputStream;
import java.io.Serializable;
import org.junit.Test;
import org.junit.runner.RunWith;

/** Subclasses that do everything themselves, and subclasses of subclasses. */
@RunWith(SameProgram.class)
public class OverrideModeTest {

  static class Own extends ObjectOutputStream {
    final DataOutputStream out;

    Own(OutputStream out) throws IOException {
      super();
      this.out = new DataOutputStream(out);
    }

    @Override
    protected void writeObjectOverride(Object object) throws IOException {
      event("writeObjectOverride " + object);
      out.writeUTF(String.valueOf(object));
    }

    @Override
    public void writeUnshared(Object object) throws IOException {
      event("writeUnshared " + object);
      writeObject(object);
    }

    @Override
    public void defaultWriteObject() {
      event("defaultWriteObject");
    }

    @Override
    public void writeInt(int value) throws IOException {
      out.writeInt(value);
    }

    @Override
    public void flush() throws IOException {
      out.flush();
    }

    @Override
    public void close() throws IOException {
      event("close");
      out.close();
    }
  }

  static class OwnInput extends ObjectInputStream {
    final DataInputStream in;

    OwnInput(InputStream in) throws IOException {
      super();
      this.in = new DataInputStream(in);
    }

    @Override
    protected Object readObjectOverride() throws IOException {
      event("readObjectOverride");
      return in.readUTF();
    }

    @Override
    public int readInt() throws IOException {
      return in.readInt();
    }

    @Override
    public void close() throws IOException {
      event("close");
      in.close();
    }
  }

  /** Adds nothing but its own constructor. */
  static class Trivial extends ObjectOutputStream {
    Trivial() throws IOException {}
  }

  static class TrivialInput extends ObjectInputStream {
    TrivialInput() throws IOException {}
  }

  static class Node implements Serializable {
    int number = 1;
  }

  @Test
  public void fullOverrideModeIsTheSubclassesOwn() throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new Own(bytes)) {
      out.writeObject("first");
      out.writeObject(null);
      out.writeUnshared(5);
      out.writeInt(7);
      out.defaultWriteObject();
    }
    see("bytes", bytes.toByteArray());
    try (ObjectInputStream in = new OwnInput(new ByteArrayInputStream(bytes.toByteArray()))) {
      see("first", in.readObject());
      see("second", in.readObject());
      see("third", in.readObject());
      see("int", in.readInt());
    }
  }

  @Test
  public void trivialSubclassesDoLittle() throws Exception {
    ObjectOutputStream out = new Trivial();
    attemptTo("write object", () -> out.writeObject("x"));
    attemptTypeTo("default write", out::defaultWriteObject);
    attemptTo("fields", out::writeFields);
    ObjectInputStream in = new TrivialInput();
    attempt("read object", in::readObject);
    attemptTypeTo("default read", in::defaultReadObject);
  }

  static class Middle extends ObjectInputStream {
    Middle(InputStream in) throws IOException {
      super(in);
    }

    @Override
    protected Class<?> resolveClass(ObjectStreamClass description)
        throws IOException, ClassNotFoundException {
      event("middle " + description.getName());
      return super.resolveClass(description);
    }
  }

  static class Lowest extends Middle {
    Lowest(InputStream in) throws IOException {
      super(in);
    }

    @Override
    protected Class<?> resolveClass(ObjectStreamClass description)
        throws IOException, ClassNotFoundException {
      event("lowest " + description.getName());
      return super.resolveClass(description);
    }
  }

  @Test
  public void subclassesOfSubclassesChain() throws Exception {
    ObjectInputStream in = new Lowest(new ByteArrayInputStream(Wire.write(new Node())));
    see("node", in.readObject());
  }

  /** Sets a field in its constructor which methods called by {@code super()} would miss. */
  static class Early extends ObjectOutputStream {
    final String word;

    Early(OutputStream out, String word) throws IOException {
      super(out);
      this.word = word;
    }

    @Override
    protected void writeStreamHeader() throws IOException {
      event("header, word " + word);
      super.writeStreamHeader();
    }

    @Override
    protected void annotateClass(Class<?> type) {
      event("annotate, word " + word);
    }
  }

  @Test
  public void headerIsWrittenBeforeTheSubclassIsReady() throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    ObjectOutputStream out = new Early(bytes, "word");
    out.writeObject(new Node());
    out.close();
    see("read", Wire.read(bytes.toByteArray()));
  }

  @Test
  public void anonymousSubclassesAreStreamsToo() throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    int[] drains = {0};
    ObjectOutputStream out =
        new ObjectOutputStream(bytes) {
          @Override
          protected void drain() throws IOException {
            drains[0]++;
            super.drain();
          }

          void drainNow() throws IOException {
            drain();
          }

          @Override
          public void flush() throws IOException {
            drainNow();
            super.flush();
          }
        };
    out.writeInt(5);
    int before = bytes.size();
    out.flush();
    see("drained", bytes.size() > before && drains[0] > 0);
  }

  @Test
  public void streamsAreInstancesOfTheJdks() throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    Object out = new ObjectOutputStream(bytes);
    ((ObjectOutputStream) out).writeObject("x");
    Object in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()));
    see("output", out instanceof ObjectOutputStream && out instanceof java.io.ObjectOutput);
    see("input", in instanceof ObjectInputStream && in instanceof java.io.ObjectInput);
  }
}
