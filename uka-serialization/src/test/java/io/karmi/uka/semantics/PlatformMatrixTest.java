package io.karmi.uka.semantics;

import static io.karmi.uka.differential.Observed.attempt;
import static io.karmi.uka.differential.Observed.event;

import io.karmi.uka.differential.SameProgram;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectInputFilter;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamClass;
import java.io.ObjectStreamException;
import java.io.OutputStream;
import java.io.Serializable;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.junit.Test;
import org.junit.runner.RunWith;

/** Values of many classes of the platform, each by streams of many kinds. */
@RunWith(SameProgram.class)
public class PlatformMatrixTest {
  /** A kind of streams. */
  private interface Streams {
    ObjectOutputStream to(OutputStream out) throws IOException;

    ObjectInputStream from(InputStream in) throws IOException;
  }

  private static void eachBy(Streams streams) {
    for (Map.Entry<String, Object> each : PlatformValues.all().entrySet()) {
      event(each.getKey());
      attempt(each.getKey(), () -> copy(streams, each.getValue()));
    }
  }

  private static Object copy(Streams streams, Object value) throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = streams.to(bytes)) {
      out.writeObject(new Object[] {value, List.of("between"), value});
      out.writeObject(value);
    }
    try (ObjectInputStream in = streams.from(new ByteArrayInputStream(bytes.toByteArray()))) {
      Object[] first = (Object[]) in.readObject();
      event("same " + (first[0] == first[2]) + " and " + (first[0] == in.readObject()));
      event("state " + state(first[0]));
      return first;
    }
  }

  private static String state(Object copy) throws IOException {
    return PlatformValues.isStable(copy) ? Wire.jdkBytes(copy) : "of its own";
  }

  @Test
  public void byOrdinaryStreams() {
    eachBy(
        new Streams() {
          @Override
          public ObjectOutputStream to(OutputStream out) throws IOException {
            return new ObjectOutputStream(out);
          }

          @Override
          public ObjectInputStream from(InputStream in) throws IOException {
            return new ObjectInputStream(in);
          }
        });
  }

  /**
   * Notes what is offered for replacement, up to a failure: the exception that is written then has
   * frames of the stream's own.
   */
  static class Asking extends ObjectOutputStream {
    private boolean hasFailed;

    Asking(OutputStream out) throws IOException {
      super(out);
      enableReplaceObject(true);
    }

    @Override
    protected Object replaceObject(Object object) {
      hasFailed |= object instanceof ObjectStreamException;
      if (!hasFailed) {
        event("replaces " + (object == null ? null : object.getClass().getName()));
      }
      return object;
    }
  }

  /** Notes what has been read. */
  static class Resolving extends ObjectInputStream {
    Resolving(InputStream in) throws IOException {
      super(in);
      enableResolveObject(true);
    }

    @Override
    protected Object resolveObject(Object object) {
      event("resolves " + (object == null ? null : object.getClass().getName()));
      return object;
    }
  }

  @Test
  public void byStreamsThatAreAskedAboutEachObject() {
    eachBy(
        new Streams() {
          @Override
          public ObjectOutputStream to(OutputStream out) throws IOException {
            return new Asking(out);
          }

          @Override
          public ObjectInputStream from(InputStream in) throws IOException {
            return new Resolving(in);
          }
        });
  }

  /** Names classes in place of descriptions. */
  static class Naming extends ObjectOutputStream {
    Naming(OutputStream out) throws IOException {
      super(out);
    }

    @Override
    protected void writeClassDescriptor(ObjectStreamClass description) throws IOException {
      event("describes " + description.getName());
      writeUTF(description.getName());
    }

    @Override
    protected void annotateClass(Class<?> type) throws IOException {
      event("annotates " + type.getName());
      writeUTF("note");
    }
  }

  /** Finds the classes that are named. */
  static class Finding extends ObjectInputStream {
    Finding(InputStream in) throws IOException {
      super(in);
    }

    @Override
    protected ObjectStreamClass readClassDescriptor() throws IOException, ClassNotFoundException {
      String name = readUTF();
      event("is described " + name);
      return ObjectStreamClass.lookupAny(
          Class.forName(name, false, PlatformMatrixTest.class.getClassLoader()));
    }

    @Override
    protected Class<?> resolveClass(ObjectStreamClass description)
        throws IOException, ClassNotFoundException {
      event(readUTF() + " of " + description.getName());
      return super.resolveClass(description);
    }
  }

  @Test
  public void byStreamsThatNameClassesOnly() {
    eachBy(
        new Streams() {
          @Override
          public ObjectOutputStream to(OutputStream out) throws IOException {
            return new Naming(out);
          }

          @Override
          public ObjectInputStream from(InputStream in) throws IOException {
            return new Finding(in);
          }
        });
  }

  @Test
  public void byStreamsWithAFilter() {
    TreeSet<String> seen = new TreeSet<>();
    eachBy(
        new Streams() {
          @Override
          public ObjectOutputStream to(OutputStream out) throws IOException {
            return new ObjectOutputStream(out);
          }

          @Override
          public ObjectInputStream from(InputStream in) throws IOException {
            ObjectInputStream made = new ObjectInputStream(in);
            made.setObjectInputFilter(
                info -> {
                  if (info.serialClass() != null) {
                    seen.add(info.serialClass().getName() + " " + info.arrayLength());
                  }
                  return ObjectInputFilter.Status.UNDECIDED;
                });
            return made;
          }
        });
    for (String each : seen) {
      event(each);
    }
  }

  /** Writes a value as data that it does not read. */
  static class Forgetful implements Serializable {
    private static final long serialVersionUID = 1;
    private final transient Object value;
    String name = "field";

    Forgetful(Object value) {
      this.value = value;
    }

    private void writeObject(ObjectOutputStream out) throws IOException {
      out.defaultWriteObject();
      out.writeInt(1);
      out.writeObject(value);
      out.writeUnshared("unshared");
      out.writeLong(2);
    }

    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      in.defaultReadObject();
    }
  }

  @Test
  public void passedOverAndReferredToAfterwards() {
    for (Map.Entry<String, Object> each : PlatformValues.all().entrySet()) {
      Object value = each.getValue();
      attempt(each.getKey(), () -> Wire.copyQuietly(new Object[] {new Forgetful(value), value}));
    }
  }

  /** Reads a value between numbers, unshared. */
  static class Careful implements Serializable {
    private static final long serialVersionUID = 1;
    private transient Object value;

    Careful(Object value) {
      this.value = value;
    }

    private void writeObject(ObjectOutputStream out) throws IOException {
      out.writeByte(1);
      out.writeUnshared(value);
      out.writeDouble(2);
    }

    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      event("first " + in.readByte());
      attempt("unshared", () -> value = in.readUnshared());
      event("last " + in.readDouble() + " and " + in.available());
    }
  }

  @Test
  public void unsharedAmongDataOfAnObject() {
    for (Map.Entry<String, Object> each : PlatformValues.all().entrySet()) {
      Object value = each.getValue();
      attempt(
          each.getKey(),
          () -> {
            Object[] copy = (Object[]) Wire.copyQuietly(new Object[] {new Careful(value), value});
            event("other " + (((Careful) copy[0]).value != copy[1]));
            return copy[1];
          });
    }
  }
}
