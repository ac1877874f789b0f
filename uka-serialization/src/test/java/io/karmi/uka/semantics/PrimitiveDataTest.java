package io.karmi.uka.semantics;

import static io.karmi.uka.differential.Observed.attempt;
import static io.karmi.uka.differential.Observed.attemptTo;
import static io.karmi.uka.differential.Observed.attemptType;
import static io.karmi.uka.differential.Observed.attemptTypeTo;
import static io.karmi.uka.differential.Observed.event;
import static io.karmi.uka.differential.Observed.see;

import io.karmi.uka.differential.SameProgram;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.OptionalDataException;
import java.io.Serializable;
import java.util.HexFormat;
import org.junit.Test;
import org.junit.runner.RunWith;

/** Primitive values between objects, and the bytes of a stream read as a stream. */
@RunWith(SameProgram.class)
public class PrimitiveDataTest {

  private static Object optional(ObjectInputStream in) throws Exception {
    try {
      return in.readObject();
    } catch (OptionalDataException e) {
      return "eof " + e.eof + " length " + e.length;
    }
  }

  @Test
  public void everyTypeArrives() throws Exception {
    byte[] bytes =
        Wire.writeBy(
            out -> {
              out.writeBoolean(true);
              out.writeByte(300);
              out.writeShort(70_000);
              out.writeChar('\u20ac');
              out.writeInt(-4);
              out.writeLong(Long.MIN_VALUE);
              out.writeFloat(Float.NaN);
              out.writeDouble(-2.5);
              out.writeUTF("utf");
              out.writeBytes("by");
              out.writeChars("ch");
              out.write(511);
              out.write(new byte[] {1, 2});
              out.write(new byte[] {3, 4, 5, 6}, 1, 2);
            });
    try (ObjectInputStream in = Wire.open(bytes)) {
      see("boolean", in.readBoolean());
      see("byte", in.readByte());
      see("short", in.readShort());
      see("char", in.readChar());
      see("int", in.readInt());
      see("long", in.readLong());
      see("float", in.readFloat());
      see("double", in.readDouble());
      see("utf", in.readUTF());
      see("bytes", new byte[] {in.readByte(), in.readByte()});
      see("chars", "" + in.readChar() + in.readChar());
      see("unsigned", in.readUnsignedByte());
      see("unsigned short", in.readUnsignedShort());
      see("read", in.read());
      see("last", in.read());
      see("end", in.read());
      attemptTo("past the end", in::readByte);
      attemptTo("past the end", in::readUTF);
      attempt("object", in::readObject);
    }
  }

  @Test
  public void objectsAndPrimitivesMixed() throws Exception {
    byte[] bytes =
        Wire.writeBy(
            out -> {
              out.writeInt(1);
              out.writeObject("one");
              out.writeObject("two");
              out.writeShort(2);
              out.writeUTF("three");
              out.writeObject(null);
              out.writeByte(3);
            });
    try (ObjectInputStream in = Wire.open(bytes)) {
      see("available", in.available());
      attempt("object where data is", () -> optional(in));
      see("int", in.readInt());
      see("none", in.available());
      see("at an object", in.read());
      see("one", in.readObject());
      attemptTo("int where an object is", in::readInt);
      see("two", in.readObject());
      see("available", in.available());
      see("byte of the short", in.readByte());
      attempt("object inside", () -> optional(in));
      see("other byte", in.readByte());
      see("three", in.readUTF());
      see("null", in.readObject());
      see("last", in.read());
      see("end", in.read());
      attempt("object at the end", in::readObject);
    }
  }

  @Test
  public void skippingAndReadingFully() throws Exception {
    byte[] data = new byte[5000];
    for (int i = 0; i < data.length; i++) {
      data[i] = (byte) i;
    }
    byte[] bytes =
        Wire.writeBy(
            out -> {
              out.write(data);
              out.writeObject("object");
              out.write(data, 10, 20);
            });
    try (ObjectInputStream in = Wire.open(bytes)) {
      see("skipped", in.skipBytes(100));
      see("next", in.read());
      byte[] part = new byte[3000];
      in.readFully(part);
      see("first and last", new byte[] {part[0], part[2999]});
      in.readFully(part, 5, 10);
      see("offset", part[5]);
      see("skipped", in.skip(7));
      see("all skipped", in.skipBytes(10_000) > 0);
      see("nothing left", in.skipBytes(10));
      see("object", in.readObject());
      see("available", in.available());
      attemptTo("too much", () -> in.readFully(new byte[21]));
    }
  }

  /** Programs that forget to read in a loop get by with what one call returns. */
  @Test
  public void oneCallReturnsWhatTheBlockHas() throws Exception {
    byte[] bytes =
        Wire.writeBy(
            out -> {
              out.writeInt(1);
              out.write(new byte[2500]);
              out.writeObject(new Object[] {"object", new Chunks(), "last"});
            });
    try (ObjectInputStream in = Wire.open(bytes)) {
      see("int", in.readInt());
      seePieces("between objects", in);
      see("objects", in.readObject());
    }
  }

  private static void seePieces(String where, InputStream in) throws IOException {
    int length = 300;
    for (int got = in.read(new byte[length]); got >= 0; got = in.read(new byte[length])) {
      see(where, got);
      length += 100;
    }
  }

  /** Reads data of its own in the middle of a message. */
  static class Chunks implements Serializable {
    private void writeObject(ObjectOutputStream out) throws IOException {
      out.write(new byte[3000]);
    }

    private void readObject(ObjectInputStream in) throws IOException {
      seePieces("in an object", in);
    }
  }

  @Test
  public void readingIntoArrays() throws Exception {
    byte[] bytes =
        Wire.writeBy(
            out -> {
              out.write(new byte[] {1, 2, 3, 4, 5});
              out.writeObject("object");
            });
    try (ObjectInputStream in = Wire.open(bytes)) {
      byte[] into = new byte[10];
      see("nothing asked", in.read(into, 0, 0));
      see("two", in.read(into, 3, 2));
      see("into", into);
      see("rest", in.read(into, 0, 10));
      see("into", into);
      see("end of data", in.read(into, 0, 10));
      attemptTo("null", () -> in.read(null, 0, 1));
      attemptTypeTo("range", () -> in.read(into, 5, 6));
      attemptTypeTo("negative", () -> in.read(into, -1, 1));
      attemptTo("fully null", () -> in.readFully(null));
      attemptTypeTo("fully range", () -> in.readFully(into, 9, 2));
      see("object", in.readObject());
      see("read all", in.readAllBytes().length);
    }
  }

  @Test
  public void writingFromArrays() throws Exception {
    Wire.writeBy(
        out -> {
          attemptTo("null", () -> out.write(null, 0, 0));
          attemptTo("null with wrong range", () -> out.write(null, 7, -2));
          attemptTo("null array", () -> out.write((byte[]) null));
          attemptTypeTo("negative", () -> out.write(new byte[2], -1, 1));
          attemptTypeTo("too long", () -> out.write(new byte[2], 1, 2));
          attemptTypeTo("overflow", () -> out.write(new byte[2], 1, Integer.MAX_VALUE));
          attemptTo("empty", () -> out.write(new byte[2], 2, 0));
          attemptTo("null utf", () -> out.writeUTF(null));
          attemptTo("null bytes", () -> out.writeBytes(null));
          attemptTo("null chars", () -> out.writeChars(null));
        });
  }

  @SuppressWarnings("deprecation")
  @Test
  public void lines() throws Exception {
    byte[] bytes =
        Wire.writeBy(
            out -> {
              out.writeBytes("one\ntwo\r\nthree\rfour");
              out.writeObject("object");
              out.writeBytes("\n\nlast");
            });
    try (ObjectInputStream in = Wire.open(bytes)) {
      for (int i = 0; i < 5; i++) {
        attempt("line", in::readLine);
      }
      see("object", in.readObject());
      for (int i = 0; i < 4; i++) {
        attempt("line", in::readLine);
      }
    }
  }

  @Test
  public void numbersOfEverySizeOfData() throws Exception {
    for (int size :
        new int[] {0, 1, 254, 255, 256, 1016, 1020, 1022, 1023, 1024, 1025, 2048, 5000}) {
      byte[] bytes =
          Wire.writeBy(
              out -> {
                out.write(new byte[size]);
                out.writeLong(0x0102030405060708L);
                out.writeUTF("text");
                out.writeInt(9);
                out.writeObject(size);
                out.writeChar('c');
              });
      try (ObjectInputStream in = Wire.open(bytes)) {
        in.readFully(new byte[size]);
        see("long " + size, in.readLong());
        see("text", in.readUTF());
        see("int", in.readInt());
        see("object", in.readObject());
        see("char", in.readChar());
      }
    }
  }

  @Test
  public void manyValuesInARow() throws Exception {
    byte[] bytes =
        Wire.writeBy(
            out -> {
              for (int i = 0; i < 3000; i++) {
                out.writeByte(i);
                out.writeInt(i);
                out.writeDouble(i);
                out.writeUTF("v" + i);
              }
            });
    long sum = 0;
    try (ObjectInputStream in = Wire.open(bytes)) {
      for (int i = 0; i < 3000; i++) {
        sum += in.readByte() + in.readInt() + (long) in.readDouble() + in.readUTF().length();
      }
      see("sum", sum);
      see("end", in.read());
    }
  }

  @Test
  public void bytesWrittenAfterAFlushAreAvailableInPieces() throws Exception {
    byte[] bytes =
        Wire.writeBy(
            out -> {
              out.writeInt(1);
              out.flush();
              out.writeInt(2);
              out.reset();
              out.writeInt(3);
            });
    try (ObjectInputStream in = Wire.open(bytes)) {
      see("available", in.available());
      see("int", in.readInt());
      see("long across a flush", attemptType("long", in::readLong));
      see("end", in.read());
    }
  }

  @Test
  public void whetherAFullBlockLeavesAtOnce() throws Exception {
    for (int before : new int[] {0, 500, 1022, 1023}) {
      int room = 1024 - before;
      leaves("bytes", before, out -> out.writeBytes("x".repeat(room)));
      leaves("no bytes", before, out -> out.writeBytes(""));
      leaves("array", before, out -> out.write(new byte[room]));
      if (room >= 2) {
        leaves("text", before, out -> out.writeUTF("x".repeat(room - 2)));
        leaves("characters", before, out -> out.writeChars("x".repeat(room / 2)));
      }
      if (room >= 4) {
        leaves("long characters", before, out -> out.writeUTF("x".repeat(room - 4) + "\u00e9"));
      }
    }
  }

  private static void leaves(String what, int before, Wire.Writing writing) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    ObjectOutputStream out = new ObjectOutputStream(bytes);
    out.write(new byte[before]);
    int earlier = bytes.size();
    writing.to(out);
    see(what + " behind " + before, bytes.size() > earlier);
  }

  @Test
  public void malformedTextIsReported() throws Exception {
    byte[][] malformed = {
      {0, 1, (byte) 0x80},
      {0, 2, (byte) 0xc3, 'x'},
      {0, 3, (byte) 0xe2, (byte) 0x82},
      {0, 1, (byte) 0xff}
    };
    for (byte[] text : malformed) {
      byte[] bytes = Wire.writeBy(out -> out.write(text));
      try (ObjectInputStream in = Wire.open(bytes)) {
        attemptType("utf", in::readUTF);
      } catch (EOFException e) {
        event("end");
      }
    }
  }

  @Test
  public void whereAStreamGoesOnBehindMalformedText() throws Exception {
    String[] malformed = {
      "41 80 42 43",
      "41 C3 42 43",
      "41 42 43 C3",
      "E2 82 42 43",
      "E2 41 82 43",
      "41 42 E2 82",
      "41 42 43 E2",
      "41 F4 80 80",
      "C3 A4 FF 43",
      "41 42 E2 41"
    };
    for (int before : new int[] {0, 1018, 1019, 1020, 1021}) {
      for (String hex : malformed) {
        byte[] bytes =
            Wire.writeBy(
                out -> {
                  out.write(new byte[before]);
                  out.writeShort(4);
                  out.write(HexFormat.ofDelimiter(" ").parseHex(hex));
                  out.writeInt(0x61626364);
                  out.writeObject("after");
                });
        try (ObjectInputStream in = Wire.open(bytes)) {
          in.readFully(new byte[before]);
          attempt(hex + " behind " + before, in::readUTF);
          see("available", in.available());
          see("rest", in.readNBytes(20));
          see("object", in.readObject());
        }
      }
    }
  }

  @Test
  public void nothingIsAvailableAtTheEndOfASourceThatSaysOne() throws Exception {
    byte[] bytes = Wire.writeBy(out -> out.writeInt(1));
    InputStream source =
        new FilterInputStream(new ByteArrayInputStream(bytes)) {
          @Override
          public int available() {
            return 1; // as that of a GZIPInputStream that has not been asked beyond its end
          }
        };
    try (ObjectInputStream in = new ObjectInputStream(source)) {
      see("int", in.readInt());
      see("available", in.available());
      see("read", in.read());
    }
  }
}
