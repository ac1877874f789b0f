package io.karmi.uka.semantics;

import static io.karmi.uka.differential.Observed.attempt;
import static io.karmi.uka.differential.Observed.bytes;
import static io.karmi.uka.differential.Observed.see;

import io.karmi.uka.differential.SameProgram;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamClass;
import java.io.ObjectStreamConstants;
import java.io.OutputStream;
import java.io.Serializable;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import org.junit.Test;
import org.junit.runner.RunWith;

/** Streams that store strings and numbers in a way of their own, those of descriptions too. */
@RunWith(SameProgram.class)
public class DescriptionCallsTest {

  static class Base implements Serializable {
    private static final long serialVersionUID = 1;

    long number = 7;
    String text = "text";
  }

  static class Noted extends Base {
    private static final long serialVersionUID = 2;

    int[] numbers = {1, 2};
    Base base = new Base();
    String second = "second";

    private void writeObject(ObjectOutputStream out) throws IOException {
      out.writeUTF("note");
      out.defaultWriteObject();
      out.writeShort(5);
    }

    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      see("note", in.readUTF());
      in.defaultReadObject();
      see("short", in.readShort());
    }

    @Override
    public String toString() {
      return number + text + numbers.length + base.number + base.text + second;
    }
  }

  record Pair(byte first, Object second) implements Serializable {}

  static class MaskingOutput extends ObjectOutputStream {
    MaskingOutput(OutputStream out) throws IOException {
      super(out);
    }

    @Override
    public void writeUTF(String text) throws IOException {
      super.writeUTF(text + "!");
    }

    @Override
    public void writeLong(long value) throws IOException {
      super.writeLong(~value);
    }

    @Override
    public void writeByte(int value) throws IOException {
      super.writeByte(value ^ 0x55);
    }

    @Override
    public void writeShort(int value) throws IOException {
      super.writeShort(value + 3);
    }
  }

  static class MaskingInput extends ObjectInputStream {
    MaskingInput(InputStream in) throws IOException {
      super(in);
    }

    @Override
    public String readUTF() throws IOException {
      String text = super.readUTF();
      return text.substring(0, text.length() - 1);
    }

    @Override
    public long readLong() throws IOException {
      return ~super.readLong();
    }

    @Override
    public byte readByte() throws IOException {
      return (byte) (super.readByte() ^ 0x55);
    }

    @Override
    public short readShort() throws IOException {
      return (short) (super.readShort() - 3);
    }
  }

  /** Describes classes by the methods of the streams that it extends. */
  static class DescribingOutput extends MaskingOutput {
    DescribingOutput(OutputStream out) throws IOException {
      super(out);
    }

    @Override
    protected void writeClassDescriptor(ObjectStreamClass description) throws IOException {
      writeUTF("class");
      super.writeClassDescriptor(description);
    }
  }

  static class DescribingInput extends MaskingInput {
    DescribingInput(InputStream in) throws IOException {
      super(in);
    }

    @Override
    protected ObjectStreamClass readClassDescriptor() throws IOException, ClassNotFoundException {
      see("before the description", readUTF());
      return super.readClassDescriptor();
    }
  }

  private static final List<Object> VALUES =
      List.of(
          new Noted(),
          new Pair((byte) 1, "second"),
          RoundingMode.DOWN,
          new Base[2],
          new Date(5),
          new ArrayList<>(List.of(1, 2L, "text")),
          Base.class,
          ObjectStreamClass.lookup(Pair.class));

  private static void write(ObjectOutputStream out) throws IOException {
    for (Object value : VALUES) {
      out.writeObject(value);
    }
    out.writeObject(VALUES.toArray());
    out.flush();
  }

  private static void read(ObjectInputStream in) throws Exception {
    for (int i = 0; i <= VALUES.size(); i++) {
      see("read", in.readObject());
    }
    attempt("behind them", in::readObject);
  }

  @Test
  public void descriptionsAreWrittenAndReadByMethodsOfTheStream() throws Exception {
    ByteArrayOutputStream written = new ByteArrayOutputStream();
    write(new MaskingOutput(written));
    bytes("masked", written.toByteArray());
    read(new MaskingInput(new ByteArrayInputStream(written.toByteArray())));
  }

  @Test
  public void theDefaultDescriptionIsWrittenAndReadByThem() throws Exception {
    ByteArrayOutputStream written = new ByteArrayOutputStream();
    write(new DescribingOutput(written));
    bytes("described", written.toByteArray());
    read(new DescribingInput(new ByteArrayInputStream(written.toByteArray())));
  }

  @Test
  public void theFirstProtocolsDescriptionsToo() throws Exception {
    ByteArrayOutputStream written = new ByteArrayOutputStream();
    ObjectOutputStream out = new MaskingOutput(written);
    out.useProtocolVersion(ObjectStreamConstants.PROTOCOL_VERSION_1);
    write(out);
    bytes("first protocol", written.toByteArray());
    read(new MaskingInput(new ByteArrayInputStream(written.toByteArray())));
  }
}
