package io.karmi.uka.stress;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.karmi.uka.UkaObjectInputStream;
import io.karmi.uka.UkaObjectOutputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectStreamClass;
import java.io.Serializable;
import java.util.function.IntSupplier;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * Two threads read, or one reads and then writes, the first objects of a class that this JVM has
 * met just now: what the library keeps of a class is made by one of them and used by the other.
 * Each must see it whole. The class is loaded anew for each pair of threads.
 */
@JCStressTest
@Outcome(id = "10, 10", expect = ACCEPTABLE, desc = "both see all fields")
@Outcome(expect = FORBIDDEN, desc = "a field was not there, or an error")
@State
public class FirstUseIsWhole {
  private static final byte[] CODE = code();
  private static final byte[] OBJECT = marshalled(new Shape());

  /** Has fields of several kinds, and a superclass with one. */
  public static class Base implements Serializable {
    private static final long serialVersionUID = 1;
    private int first = 1;

    protected final int sum() {
      return first;
    }
  }

  /** Of each pair of threads a class of its own. */
  public static final class Shape extends Base implements IntSupplier {
    private static final long serialVersionUID = 1;
    private final long second = Long.parseLong("2");
    private byte third = 3;
    private Object fourth = 4;

    @Override
    public int getAsInt() {
      return sum() + (int) second + third + (Integer) fourth;
    }
  }

  /** Defines the class of the objects anew. */
  private static final class Fresh extends ClassLoader {
    Fresh() {
      super(FirstUseIsWhole.class.getClassLoader());
    }

    Class<?> shape() {
      return defineClass(Shape.class.getName(), CODE, 0, CODE.length);
    }
  }

  private final Class<?> shape = new Fresh().shape();

  private static byte[] code() {
    String file = Shape.class.getName().replace('.', '/') + ".class";
    try (InputStream in = FirstUseIsWhole.class.getClassLoader().getResourceAsStream(file)) {
      return in.readAllBytes();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static byte[] marshalled(Object object) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (UkaObjectOutputStream out = new UkaObjectOutputStream(bytes)) {
      out.writeObject(object);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
    return bytes.toByteArray();
  }

  private Object read(byte[] bytes) throws IOException, ClassNotFoundException {
    try (UkaObjectInputStream in =
        new UkaObjectInputStream(new ByteArrayInputStream(bytes)) {
          @Override
          protected Class<?> resolveClass(ObjectStreamClass description)
              throws IOException, ClassNotFoundException {
            return description.getName().equals(shape.getName())
                ? shape
                : super.resolveClass(description);
          }
        }) {
      return in.readObject();
    }
  }

  private static int sum(Object read) {
    return ((IntSupplier) read).getAsInt();
  }

  @Actor
  public void reads(II_Result result) {
    result.r1 = -1;
    try {
      result.r1 = sum(read(OBJECT));
    } catch (IOException | ClassNotFoundException | RuntimeException | Error e) {
      result.r1 = -2;
    }
  }

  @Actor
  public void readsAndWrites(II_Result result) {
    try {
      result.r2 = sum(read(marshalled(read(OBJECT))));
    } catch (IOException | ClassNotFoundException | RuntimeException | Error e) {
      result.r2 = -2;
    }
  }
}
