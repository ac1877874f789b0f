package io.karmi.uka.semantics;

import static io.karmi.uka.differential.Observed.attempt;
import static io.karmi.uka.differential.Observed.see;

import io.karmi.uka.differential.SameProgram;
import io.karmi.uka.differential.Versions;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.Externalizable;
import java.io.IOException;
import java.io.InputStream;
import java.io.InvalidClassException;
import java.io.ObjectInput;
import java.io.ObjectInputStream;
import java.io.ObjectOutput;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamClass;
import java.io.OutputStream;
import java.io.Serializable;
import java.math.RoundingMode;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.Test;
import org.junit.runner.RunWith;

/** A class that is of another kind at the reader, or is said to be. */
@RunWith(SameProgram.class)
public class KindsTest {
  private static final String UID = "private static final long serialVersionUID = 1;";

  private static Map<String, String> versions() {
    Map<String, String> versions = new LinkedHashMap<>();
    versions.put(
        "class",
        "public class Kind implements java.io.Serializable {" + UID + "public int a = 1; }");
    versions.put(
        "custom",
        "public class Kind implements java.io.Serializable {"
            + UID
            + "private void writeObject(java.io.ObjectOutputStream out)"
            + " throws java.io.IOException { out.defaultWriteObject(); }"
            + "private void readObject(java.io.ObjectInputStream in)"
            + " throws Exception { in.defaultReadObject(); } }");
    versions.put(
        "external",
        "public class Kind implements java.io.Externalizable {"
            + UID
            + "public void writeExternal(java.io.ObjectOutput out) throws java.io.IOException"
            + " { out.writeInt(1); }"
            + "public void readExternal(java.io.ObjectInput in) throws java.io.IOException"
            + " { in.readInt(); } }");
    versions.put("enum", "public enum Kind { A, B }");
    versions.put(
        "record", "public record Kind(int a) implements java.io.Serializable {" + UID + "}");
    versions.put(
        "interface",
        "public interface Kind extends java.io.Serializable { long serialVersionUID = 1; }");
    versions.put(
        "abstract", "public abstract class Kind implements java.io.Serializable {" + UID + "}");
    versions.put("not serializable", "public class Kind { public int a = 1; }");
    return versions;
  }

  private static Object instance(Class<?> type) throws ReflectiveOperationException {
    if (type.isEnum()) {
      return type.getEnumConstants()[1];
    }
    return type.isRecord()
        ? type.getConstructor(int.class).newInstance(7)
        : type.getConstructor().newInstance();
  }

  @Test
  public void aClassThatHasBecomeSomethingElse() throws Exception {
    Map<String, String> versions = versions();
    for (String written : new String[] {"class", "custom", "external", "enum", "record"}) {
      Class<?> there = load(versions.get(written));
      byte[] object = Wire.write(instance(there), instance(there), "behind");
      byte[] array = Wire.write(java.lang.reflect.Array.newInstance(there, 2), "behind");
      byte[] named = Wire.write(there, "behind");
      for (Map.Entry<String, String> read : versions.entrySet()) {
        ClassLoader here = load(read.getValue()).getClassLoader();
        String change = written + " to " + read.getKey();
        attempt(change, () -> Wire.read(object, here).getClass().getName());
        attempt("array of " + change, () -> Wire.read(array, here).getClass().getName());
        attempt("name of " + change, () -> Wire.read(named, here).toString());
      }
    }
  }

  private static Class<?> load(String source) throws ClassNotFoundException {
    return Versions.loader(KindsTest.class.getClassLoader(), source).loadClass("Kind");
  }

  static class Plain implements Serializable {
    private static final long serialVersionUID = 1;
    int a = 0x01010101;
  }

  /** For the stream, which makes it by its public constructor. */
  public static class External implements Externalizable {
    private static final long serialVersionUID = 1;

    @Override
    public void writeExternal(ObjectOutput out) throws IOException {
      out.writeInt(1);
    }

    @Override
    public void readExternal(ObjectInput in) throws IOException {
      in.readInt();
    }
  }

  record Rec(int a) implements Serializable {}

  private static final Object[] OBJECTS = {
    new Plain(), new External(), new Rec(3), 5, RoundingMode.UP, new int[3], new String[] {"a"}
  };

  /** Says that all classes are one. */
  static class Describing extends ObjectOutputStream {
    private final Class<?> said;

    Describing(OutputStream out, Class<?> said) throws IOException {
      super(out);
      this.said = said;
    }

    @Override
    protected void writeClassDescriptor(ObjectStreamClass description) throws IOException {
      super.writeClassDescriptor(ObjectStreamClass.lookup(said));
    }
  }

  /** Takes all classes for one. */
  static class Taking extends ObjectInputStream {
    private final Class<?> said;

    Taking(InputStream in, Class<?> said) throws IOException {
      super(in);
      this.said = said;
    }

    @Override
    protected ObjectStreamClass readClassDescriptor() throws IOException, ClassNotFoundException {
      super.readClassDescriptor();
      return ObjectStreamClass.lookup(said);
    }
  }

  /** What the bytes of an object are to a class of another kind. */
  private static int shape(Class<?> type) {
    if (type.isArray()) {
      return type.getComponentType().isPrimitive() ? 3 : 2;
    }
    return type.isEnum() ? 1 : 0;
  }

  private static boolean isTold(Object written, Class<?> said) {
    return shape(written.getClass()) != shape(said) && shape(said) < 2;
  }

  @Test
  public void whatAWriterSaysIsOfAnotherKind() throws Exception {
    for (Object written : OBJECTS) {
      for (Object said : OBJECTS) {
        Class<?> type = said.getClass();
        if (isTold(written, type)) {
          ByteArrayOutputStream bytes = new ByteArrayOutputStream();
          try (ObjectOutputStream out = new Describing(bytes, type)) {
            out.writeObject(written);
          }
          String label = written.getClass().getSimpleName() + " said to be " + type.getName();
          see(label, outcome(new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))));
        }
      }
    }
  }

  @Test
  public void whatAReaderTakesForAnotherKind() throws Exception {
    for (Object written : OBJECTS) {
      byte[] bytes = Wire.write(new Object[] {written, written.getClass().cast(written)});
      byte[] alone = Wire.write(written, written);
      for (Object said : OBJECTS) {
        Class<?> type = said.getClass();
        if (isTold(written, type)) {
          String label = written.getClass().getSimpleName() + " taken for " + type.getName();
          see(label, outcome(new Taking(new ByteArrayInputStream(alone), type)));
          see("in " + label, outcome(new Taking(new ByteArrayInputStream(bytes), type)));
        }
      }
    }
  }

  /** The JDK stumbles over an array of what is none. */
  private static String outcome(ObjectInputStream in) throws Exception {
    try {
      return in.readObject().getClass().getName();
    } catch (InvalidClassException | NullPointerException e) {
      return "an invalid class";
    }
  }
}
