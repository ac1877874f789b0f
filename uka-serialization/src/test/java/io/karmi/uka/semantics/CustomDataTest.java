package io.karmi.uka.semantics;

import static io.karmi.uka.differential.Observed.attempt;
import static io.karmi.uka.differential.Observed.attemptTo;
import static io.karmi.uka.differential.Observed.attemptType;
import static io.karmi.uka.differential.Observed.event;
import static io.karmi.uka.differential.Observed.see;

import io.karmi.uka.differential.Observed;
import io.karmi.uka.differential.SameProgram;
import java.io.ByteArrayInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.OptionalDataException;
import java.io.Serializable;
import java.net.SocketTimeoutException;
import org.junit.Test;
import org.junit.runner.RunWith;

/**
 * {@code writeObject} and {@code readObject}: which run, in which order, and whose data is whose.
 */
@RunWith(SameProgram.class)
public class CustomDataTest {

  /** What the hooks of {@link Custom} do, set by each program. */
  @FunctionalInterface
  interface Writing {
    void write(Custom object, ObjectOutputStream out) throws IOException;
  }

  @FunctionalInterface
  interface Reading {
    void read(Custom object, ObjectInputStream in) throws IOException, ClassNotFoundException;
  }

  static Writing writing;
  static Reading reading;

  static class Custom implements Serializable {
    int number = 1;
    String text = "text";

    private void writeObject(ObjectOutputStream out) throws IOException {
      writing.write(this, out);
    }

    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      reading.read(this, in);
    }
  }

  static class BelowCustom extends Custom {
    String below = "below";
  }

  static class Top implements Serializable {
    int top = 1;

    private void writeObject(ObjectOutputStream out) throws IOException {
      event("write Top");
      out.writeInt(11);
      out.defaultWriteObject();
      out.writeObject("from Top");
    }

    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      event("read Top");
      see("number", in.readInt());
      in.defaultReadObject();
      see("top", top);
      see("object", in.readObject());
    }
  }

  static class Silent extends Top {
    int silent = 2;
  }

  static class WriteOnly extends Silent {
    int writeOnly = 3;

    private void writeObject(ObjectOutputStream out) throws IOException {
      event("write WriteOnly");
      out.defaultWriteObject();
      out.writeUTF("optional");
      out.writeObject("optional object");
    }
  }

  static class ReadOnly extends WriteOnly {
    int readOnly = 4;

    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      event("read ReadOnly");
      in.defaultReadObject();
      attempt("nothing more", in::readObject);
      see("end", in.read());
    }
  }

  static class Bottom extends ReadOnly {
    int bottom = 5;

    private void writeObject(ObjectOutputStream out) throws IOException {
      event("write Bottom");
      out.writeObject(this);
      out.writeDouble(0.5);
    }

    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      event("read Bottom");
      see("itself", in.readObject() == this);
      see("double", in.readDouble());
    }
  }

  private static void program(String label, Writing write, Reading read) throws Exception {
    writing = write;
    reading = read;
    byte[] bytes = Wire.write(new Custom(), "after", new BelowCustom());
    attempt(label, () -> Wire.read(bytes, 3));
  }

  @Test
  public void hooksRunFromTheTopDown() throws Exception {
    see("bottom", Wire.copy(new Bottom()));
    see("silent", Wire.copy(new Silent()));
    see("read only", Wire.copy(new ReadOnly()));
  }

  @Test
  public void dataBeforeAndAfterTheFields() throws Exception {
    program(
        "both",
        (object, out) -> {
          out.writeInt(1);
          out.writeObject("x");
          out.defaultWriteObject();
          out.writeLong(2);
          out.writeObject(new int[] {3});
          out.writeBoolean(true);
        },
        (object, in) -> {
          see("before", in.readInt());
          see("object", in.readObject());
          in.defaultReadObject();
          see("after", in.readLong());
          see("array", in.readObject());
          see("last", in.readBoolean());
        });
  }

  @Test
  public void optionalDataThatIsNotReadIsSkipped() throws Exception {
    Writing much =
        (object, out) -> {
          out.defaultWriteObject();
          out.writeInt(1);
          out.writeObject(new Object[] {"skipped", object});
          out.write(new byte[3000]);
          out.writeObject("skipped too");
          out.writeInt(2);
        };
    program("fields only", much, (object, in) -> in.defaultReadObject());
    program(
        "nothing",
        (object, out) -> {
          out.writeInt(1);
          out.writeObject(new Object[] {"skipped", object});
          out.writeInt(2);
        },
        (object, in) -> {});
    program(
        "some",
        much,
        (object, in) -> {
          in.defaultReadObject();
          see("half of an int", in.readShort());
        });
  }

  @Test
  public void handlesInsideSkippedDataStillCount() throws Exception {
    Object shared = new int[] {7};
    writing =
        (object, out) -> {
          out.defaultWriteObject();
          out.writeObject(shared);
        };
    reading = (object, in) -> in.defaultReadObject();
    see("later", Wire.read(Wire.write(new Custom(), shared, "x"), 3));
  }

  @Test
  public void noFieldsAreWrittenWithoutDefaultWriteObject() throws Exception {
    program("neither", (object, out) -> {}, (object, in) -> {});
    program(
        "fields that were not written",
        (object, out) -> out.writeInt(5),
        (object, in) -> see("number", in.readInt()));
  }

  @Test
  public void defaultReadObjectWithoutFieldsInTheStream() throws Exception {
    writing = (object, out) -> {};
    reading =
        (object, in) -> {
          in.defaultReadObject();
          see("number", object.number);
        };
    byte[] bytes = Wire.write(new Custom(), "after");
    Observed.attemptTypeTo("read", () -> see("objects", Wire.read(bytes, 2)));
  }

  @Test
  public void readingPastTheDataEndsIt() throws Exception {
    program(
        "past the end",
        (object, out) -> {
          out.defaultWriteObject();
          out.writeShort(1);
        },
        (object, in) -> {
          in.defaultReadObject();
          attempt("object where data is", () -> optional(in));
          see("available", in.available());
          see("the data is still there", in.readShort());
          attempt("object at the end", () -> optional(in));
          attempt("byte at the end", in::readByte);
          attempt("int at the end", in::readInt);
          attempt("utf at the end", in::readUTF);
          attemptTo("fully at the end", () -> in.readFully(new byte[1]));
          see("read at the end", in.read());
          see("read many at the end", in.read(new byte[2], 0, 2));
          see("available at the end", in.available());
          see("skip at the end", in.skipBytes(3));
        });
  }

  private static Object optional(ObjectInputStream in) throws IOException, ClassNotFoundException {
    try {
      return in.readObject();
    } catch (OptionalDataException e) {
      return "eof " + e.eof + " length " + e.length;
    }
  }

  @Test
  public void dataWhereAnObjectIs() throws Exception {
    program(
        "object first",
        (object, out) -> {
          out.defaultWriteObject();
          out.writeObject("object");
          out.writeInt(6);
        },
        (object, in) -> {
          in.defaultReadObject();
          attempt("int where an object is", in::readInt);
          see("read where an object is", in.read());
          see("available", in.available());
          see("object", in.readObject());
          see("int", in.readInt());
        });
  }

  @Test
  public void valueThatSpansPiecesOfData() throws Exception {
    program(
        "pieces",
        (object, out) -> {
          out.writeByte(1);
          out.writeObject(null);
          out.writeShort(2);
          out.flush();
          out.writeShort(3);
          out.write(new byte[1021]);
          out.writeInt(4);
          out.writeLong(5);
        },
        (object, in) -> {
          attemptType("int across an object", in::readInt);
          attempt("the object", in::readObject);
          see("int across a flush", in.readInt());
          in.readFully(new byte[1021]);
          see("int across a buffer", in.readInt());
          see("long", in.readLong());
        });
  }

  @Test
  public void primitivesOfEveryTypeInHooks() throws Exception {
    program(
        "primitives",
        (object, out) -> {
          out.writeBoolean(true);
          out.writeByte(-1);
          out.writeShort(-2);
          out.writeChar('\u20ac');
          out.writeInt(-4);
          out.writeLong(Long.MIN_VALUE);
          out.writeFloat(1.25f);
          out.writeDouble(-2.5);
          out.writeUTF("utf\0\u00e9\u20ac\ud800");
          out.writeBytes("bytes");
          out.writeChars("chars");
          out.write(255);
          out.write(new byte[] {1, 2, 3}, 1, 2);
        },
        (object, in) -> {
          see("boolean", in.readBoolean());
          see("byte", in.readByte());
          see("short", in.readShort());
          see("char", in.readChar());
          see("int", in.readInt());
          see("long", in.readLong());
          see("float", in.readFloat());
          see("double", in.readDouble());
          see("utf", in.readUTF());
          byte[] bytes = new byte[5];
          in.readFully(bytes);
          see("bytes", bytes);
          for (int i = 0; i < 5; i++) {
            see("char", in.readChar());
          }
          see("unsigned", in.readUnsignedByte());
          see("rest", in.readUnsignedShort());
          see("end", in.read());
        });
  }

  static class ReadingInPieces implements Serializable {
    private static final int LENGTH = 400;

    private void writeObject(ObjectOutputStream out) throws IOException {
      out.write(new byte[LENGTH]);
    }

    private void readObject(ObjectInputStream in) throws IOException {
      byte[] piece = new byte[LENGTH];
      for (int left = LENGTH; left > 0; ) {
        left -= in.read(piece, 0, left);
      }
    }
  }

  @Test
  public void failureOfTheSourceInsideDataIsWhatTheCallerSees() throws Exception {
    byte[] bytes = Wire.write(new Object[] {new ReadingInPieces()}, "");
    int arrived = bytes.length - ReadingInPieces.LENGTH / 2;
    InputStream source =
        new FilterInputStream(new ByteArrayInputStream(bytes, 0, arrived)) {
          @Override
          public int read(byte[] to, int offset, int length) throws IOException {
            int count = super.read(to, offset, length);
            if (count < 0) {
              throw new SocketTimeoutException("time is over");
            }
            return count;
          }
        };
    ObjectInputStream in = new ObjectInputStream(source);
    attempt("object", in::readObject);
  }

  @Test
  public void dataOfParentAndChildDoNotMix() throws Exception {
    writing =
        (object, out) -> {
          out.defaultWriteObject();
          out.writeInt(77);
        };
    reading =
        (object, in) -> {
          in.defaultReadObject();
          see("first", in.readInt());
          attempt("no second", in::readInt);
          attempt("no object of the child", in::readObject);
        };
    see("child", Wire.copy(new BelowCustom()));
  }
}
