package io.karmi.uka.semantics;

import static io.karmi.uka.differential.Observed.attempt;
import static io.karmi.uka.differential.Observed.attemptTo;
import static io.karmi.uka.differential.Observed.see;

import io.karmi.uka.differential.SameProgram;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamField;
import java.io.Serializable;
import org.junit.Test;
import org.junit.runner.RunWith;

/** {@code PutField}, {@code GetField} and fields that exist in the stream only. */
@RunWith(SameProgram.class)
public class PutGetFieldsTest {

  @FunctionalInterface
  interface Putting {
    void put(ObjectOutputStream.PutField fields, ObjectOutputStream out) throws IOException;
  }

  @FunctionalInterface
  interface Getting {
    void get(ObjectInputStream.GetField fields, ObjectInputStream in)
        throws IOException, ClassNotFoundException;
  }

  static Putting putting;
  static Getting getting;

  static class Virtual implements Serializable {
    private static final ObjectStreamField[] serialPersistentFields = {
      new ObjectStreamField("z", boolean.class),
      new ObjectStreamField("b", byte.class),
      new ObjectStreamField("c", char.class),
      new ObjectStreamField("s", short.class),
      new ObjectStreamField("i", int.class),
      new ObjectStreamField("j", long.class),
      new ObjectStreamField("f", float.class),
      new ObjectStreamField("d", double.class),
      new ObjectStreamField("text", String.class),
      new ObjectStreamField("any", Object.class),
      new ObjectStreamField("array", int[].class)
    };

    private void writeObject(ObjectOutputStream out) throws IOException {
      ObjectOutputStream.PutField fields = out.putFields();
      putting.put(fields, out);
      out.writeFields();
    }

    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      getting.get(in.readFields(), in);
    }
  }

  private static void program(Putting put, Getting get) throws Exception {
    putting = put;
    getting = get;
    byte[] bytes = Wire.tryToWrite("write", new Object[] {new Virtual(), "after"});
    attempt("read", () -> Wire.read(bytes));
  }

  /** In the JDK's format: that the bytes are the same is compared for every program. */
  @Test
  public void everyNanThatIsPutIsTheSame() throws Exception {
    program(
        (fields, out) -> {
          fields.put("f", Float.intBitsToFloat(0xffc12345));
          fields.put("d", Double.longBitsToDouble(0x7ff8000000000123L));
        },
        (fields, in) -> see("f", Float.floatToRawIntBits(fields.get("f", 0f))));
  }

  @Test
  public void fieldsThatTheClassLacks() throws Exception {
    program(
        (fields, out) -> {
          fields.put("z", true);
          fields.put("b", (byte) 1);
          fields.put("c", 'c');
          fields.put("s", (short) 2);
          fields.put("i", 3);
          fields.put("j", 4L);
          fields.put("f", 5f);
          fields.put("d", 6d);
          fields.put("text", "seven");
          fields.put("any", (Object) 8);
          fields.put("array", new int[] {8});
        },
        (fields, in) -> {
          see("z", fields.get("z", false));
          see("b", fields.get("b", (byte) 0));
          see("c", fields.get("c", '0'));
          see("s", fields.get("s", (short) 0));
          see("i", fields.get("i", 0));
          see("j", fields.get("j", 0L));
          see("f", fields.get("f", 0f));
          see("d", fields.get("d", 0d));
          see("text", fields.get("text", null));
          see("any", fields.get("any", null));
          see("array", fields.get("array", null));
        });
  }

  @Test
  public void fieldsThatWereNotPutAreZero() throws Exception {
    program(
        (fields, out) -> fields.put("i", 3),
        (fields, in) -> {
          see("z", fields.get("z", true));
          see("i", fields.get("i", 0));
          see("d", fields.get("d", 1d));
          see("text", fields.get("text", "default"));
          see("defaulted", fields.defaulted("d"));
        });
  }

  @Test
  public void unknownNamesAreRefused() throws Exception {
    program(
        (fields, out) -> {
          attemptTo("int", () -> fields.put("none", 1));
          attemptTo("object", () -> fields.put("none", "x"));
          attemptTo("null", () -> fields.put(null, 1));
        },
        (fields, in) -> {
          attempt("int", () -> fields.get("none", 1));
          attempt("object", () -> fields.get("none", "x"));
          attempt("null", () -> fields.get(null, 1));
          attempt("defaulted", () -> fields.defaulted("none"));
        });
  }

  @Test
  public void typesThatDoNotMatchAreRefused() throws Exception {
    program(
        (fields, out) -> {
          attemptTo("int into long", () -> fields.put("j", 1));
          attemptTo("int into boolean", () -> fields.put("z", 1));
          attemptTo("long into int", () -> fields.put("i", 1L));
          attemptTo("object into int", () -> fields.put("i", (Object) 1));
          attemptTo("int into object", () -> fields.put("any", 1));
          attemptTo("char into short", () -> fields.put("s", 'c'));
          attemptTo("byte into float", () -> fields.put("f", (byte) 1));
          attemptTo("float into double", () -> fields.put("d", 1f));
        },
        (fields, in) -> {
          attempt("long as int", () -> fields.get("j", 1));
          attempt("boolean as object", () -> fields.get("z", (Object) true));
          attempt("object as int", () -> fields.get("any", 1));
          attempt("int as byte", () -> fields.get("i", (byte) 1));
          attempt("text as object", () -> fields.get("text", "x"));
        });
  }

  @Test
  public void objectOfTheWrongClassIsFoundByTheReceiverOnly() throws Exception {
    program(
        (fields, out) -> attemptTo("integer into String", () -> fields.put("text", (Object) 5)),
        (fields, in) -> attempt("text", () -> fields.get("text", null)));
  }

  @Test
  public void descriptionsSayWhatTheStreamHas() throws Exception {
    program(
        (fields, out) -> fields.put("i", 1),
        (fields, in) -> {
          see("name", fields.getObjectStreamClass().getName());
          for (ObjectStreamField field : fields.getObjectStreamClass().getFields()) {
            see(
                field.getName(),
                field.getTypeCode()
                    + " "
                    + field.getTypeString()
                    + " "
                    + field.getType().getName());
          }
        });
  }

  static class Mapped implements Serializable {
    private static final ObjectStreamField[] serialPersistentFields = {
      new ObjectStreamField("kept", int.class), new ObjectStreamField("virtual", Object.class),
    };
    int kept = 1;
    int left = 2;
    transient Object virtual = "transient";
  }

  static class NoPersistentFields implements Serializable {
    private static final ObjectStreamField[] serialPersistentFields = {};
    int left = 2;
  }

  static class Renaming implements Serializable {
    private static final ObjectStreamField[] serialPersistentFields = {
      new ObjectStreamField("oldName", String.class), new ObjectStreamField("count", int.class)
    };
    String newName = "value";
    int count = 5;
    transient Object cyclic = this;

    private void writeObject(ObjectOutputStream out) throws IOException {
      ObjectOutputStream.PutField fields = out.putFields();
      fields.put("oldName", newName);
      fields.put("count", count);
      out.writeFields();
      out.writeInt(9);
    }

    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      ObjectInputStream.GetField fields = in.readFields();
      newName = (String) fields.get("oldName", "none");
      count = fields.get("count", -1);
      see("after the fields", in.readInt());
    }
  }

  @Test
  public void persistentFieldsDecideWhatIsWritten() throws Exception {
    see("mapped", Wire.copy(new Mapped()));
    see("none", Wire.copy(new NoPersistentFields()));
    see("renamed", Wire.copy(new Renaming[] {new Renaming(), new Renaming()}));
  }

  static class DefaultWriter implements Serializable {
    int number = 4;
    Object reference = "r";

    private void writeObject(ObjectOutputStream out) throws IOException {
      out.defaultWriteObject();
    }

    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      ObjectInputStream.GetField fields = in.readFields();
      see("number", fields.get("number", 0));
      see("reference", fields.get("reference", null));
      see("untouched", number);
    }
  }

  @Test
  public void getFieldReadsWhatDefaultWriteObjectWrote() throws Exception {
    see("copy", Wire.copy(new DefaultWriter()));
  }

  static class ByItself implements Serializable {
    private static final ObjectStreamField[] serialPersistentFields = {
      new ObjectStreamField("number", int.class), new ObjectStreamField("any", Object.class)
    };

    @SuppressWarnings("deprecation")
    private void writeObject(ObjectOutputStream out) throws IOException {
      ObjectOutputStream.PutField fields = out.putFields();
      fields.put("number", 12);
      fields.put("any", (Object) "by itself");
      fields.write(out);
    }

    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      see("number", in.readInt());
      see("any", in.readObject());
    }
  }

  @SuppressWarnings("deprecation")
  @Test
  public void putFieldsMayBeWrittenAsData() throws Exception {
    see("copy", Wire.copy(new ByItself()));
    ObjectOutputStream other = new ObjectOutputStream(new ByteArrayOutputStream());
    putting = (fields, out) -> attemptTo("to another stream", () -> fields.write(other));
    getting = (fields, in) -> {};
    Wire.write(new Virtual());
  }
}
