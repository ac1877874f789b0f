package io.karmi.uka.semantics;

import static io.karmi.uka.differential.Observed.attempt;
import static io.karmi.uka.differential.Observed.event;
import static io.karmi.uka.differential.Observed.see;

import io.karmi.uka.differential.SameProgram;
import java.io.Externalizable;
import java.io.IOException;
import java.io.ObjectInput;
import java.io.ObjectInputStream;
import java.io.ObjectOutput;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamConstants;
import java.io.ObjectStreamField;
import java.io.Serializable;
import org.junit.Test;
import org.junit.runner.RunWith;

/** {@code Externalizable} objects. */
@RunWith(SameProgram.class)
public class ExternalizableTest {

  public static class Point implements Externalizable {
    int x = 1;
    int y = 2;
    transient String note = "field initialiser";
    Object other;

    public Point() {
      event("Point()");
    }

    @Override
    public void writeExternal(ObjectOutput out) throws IOException {
      event("writeExternal " + x);
      out.writeInt(x);
      out.writeInt(y);
      out.writeObject(other);
    }

    @Override
    public void readExternal(ObjectInput in) throws IOException, ClassNotFoundException {
      event("readExternal");
      x = in.readInt();
      y = in.readInt();
      other = in.readObject();
    }
  }

  /** Its declaration would be an error in a class that is not externalizable. */
  public static class Declaring extends Point {
    private static final ObjectStreamField[] serialPersistentFields = {
      new ObjectStreamField("x", int.class), new ObjectStreamField("x", int.class)
    };
  }

  public static class BelowPoint extends Point {
    int z = 3;

    @Override
    public void writeExternal(ObjectOutput out) throws IOException {
      super.writeExternal(out);
      out.write(z);
    }

    @Override
    public void readExternal(ObjectInput in) throws IOException, ClassNotFoundException {
      super.readExternal(in);
      z = in.read();
    }
  }

  static class WithHooks implements Serializable {
    int base = 4;

    private void writeObject(ObjectOutputStream out) throws IOException {
      event("never called");
      out.defaultWriteObject();
    }
  }

  public static class ExternalBelowHooks extends WithHooks implements Externalizable {
    @Override
    public void writeExternal(ObjectOutput out) throws IOException {
      out.writeUTF("below hooks");
    }

    @Override
    public void readExternal(ObjectInput in) throws IOException {
      event(in.readUTF());
    }

    private void readObject(ObjectInputStream in) {
      event("never called either");
    }
  }

  public static class PackagePrivateConstructor implements Externalizable {
    PackagePrivateConstructor() {}

    @Override
    public void writeExternal(ObjectOutput out) {}

    @Override
    public void readExternal(ObjectInput in) {}
  }

  static class NotPublic extends Point {
    public NotPublic() {}
  }

  public class Inner extends Point {}

  public abstract static class Abstract extends Point {}

  public static class ReadsLess extends Point {
    @Override
    public void writeExternal(ObjectOutput out) throws IOException {
      super.writeExternal(out);
      out.writeObject(this);
      out.write(new byte[2000]);
      out.writeObject("unread");
    }
  }

  public static class ReadsMore extends Point {
    @Override
    public void readExternal(ObjectInput in) throws IOException, ClassNotFoundException {
      super.readExternal(in);
      see("end", in.read());
      attempt("int", in::readInt);
      attempt("object", in::readObject);
    }
  }

  public static class Throwing extends Point {
    static boolean onWrite;

    @Override
    public void writeExternal(ObjectOutput out) throws IOException {
      if (onWrite) {
        throw new IOException("while writing");
      }
      super.writeExternal(out);
    }

    @Override
    public void readExternal(ObjectInput in) throws IOException {
      throw new ArithmeticException("while reading");
    }
  }

  public static class ConstructorThrows extends Point {
    static boolean fail;

    public ConstructorThrows() {
      if (fail) {
        throw new ArithmeticException("while constructing");
      }
    }
  }

  public static class WithReplacement extends Point {
    private Object writeReplace() {
      event("writeReplace");
      return this;
    }

    private Object readResolve() {
      event("readResolve");
      return "resolved from " + x;
    }
  }

  public static class UsesStream extends Point {
    @Override
    public void writeExternal(ObjectOutput out) throws IOException {
      ObjectOutputStream stream = (ObjectOutputStream) out;
      attempt(
          "defaultWriteObject",
          () -> {
            stream.defaultWriteObject();
            return "no";
          });
      attempt("putFields", stream::putFields);
      super.writeExternal(out);
    }

    @Override
    public void readExternal(ObjectInput in) throws IOException, ClassNotFoundException {
      ObjectInputStream stream = (ObjectInputStream) in;
      attempt(
          "defaultReadObject",
          () -> {
            stream.defaultReadObject();
            return "no";
          });
      attempt("readFields", stream::readFields);
      attempt(
          "validation",
          () -> {
            stream.registerValidation(() -> event("validated"), 0);
            return "registered";
          });
      super.readExternal(in);
    }
  }

  @Test
  public void stateIsTheirOwnAffair() throws Exception {
    Point point = new Point();
    point.x = 10;
    point.other = new Object[] {point, new BelowPoint()};
    event("-- copy");
    see("copy", Wire.copy(point));
    see("copies", Wire.copy(new Point[] {point, new BelowPoint(), point}));
  }

  @Test
  public void hooksOfSuperclassesAreIgnored() throws Exception {
    see("copy", Wire.copy(new ExternalBelowHooks()));
  }

  @Test
  public void publicConstructorIsNeeded() throws Exception {
    byte[] bytes = Wire.tryToWrite("write", new PackagePrivateConstructor());
    attempt("package-private constructor", () -> Wire.read(bytes));
    byte[] notPublic = Wire.tryToWrite("write", new NotPublic());
    attempt("class that is not public", () -> Wire.read(notPublic));
    byte[] inner = Wire.tryToWrite("write", new Inner());
    attempt("inner class", () -> Wire.read(inner));
    byte[] anonymous = Wire.tryToWrite("write", new Abstract() {});
    attempt("anonymous class", () -> Wire.read(anonymous));
  }

  @Test
  public void unreadDataIsSkipped() throws Exception {
    see("both", Wire.read(Wire.write(new ReadsLess(), "after"), 2));
  }

  @Test
  public void readingMoreThanWasWrittenEnds() throws Exception {
    see("both", Wire.read(Wire.write(new ReadsMore(), "after"), 2));
  }

  @Test
  public void exceptionsPassUnwrapped() throws Exception {
    Throwing.onWrite = true;
    Wire.tryToWrite("write", new Object[] {new Throwing()});
    Throwing.onWrite = false;
    byte[] bytes = Wire.write((Object) new Object[] {new Throwing()});
    attempt("read", () -> Wire.read(bytes));
  }

  @Test
  public void exceptionsOfTheConstructorAreCauses() throws Exception {
    byte[] bytes = Wire.write(new ConstructorThrows());
    ConstructorThrows.fail = true;
    attempt("read", () -> Wire.read(bytes));
  }

  @Test
  public void replacementAndResolutionApply() throws Exception {
    see("copy", Wire.copy((Object) new WithReplacement()));
  }

  @Test
  public void fieldMethodsOfTheStreamAreNotForThem() throws Exception {
    see("copy", Wire.copy(new UsesStream()));
  }

  @Test
  public void protocolVersionOneHasNoBlocks() throws Exception {
    byte[] bytes =
        Wire.writeBy(
            out -> {
              out.useProtocolVersion(ObjectStreamConstants.PROTOCOL_VERSION_1);
              out.writeObject(new BelowPoint());
              out.writeObject("after");
            });
    see("both", Wire.read(bytes, 2));
  }

  /** Reads with one call what is in no block. */
  public static class Raw implements Externalizable {
    private static final long serialVersionUID = 1;

    public Raw() {}

    @Override
    public void writeExternal(ObjectOutput out) throws IOException {
      out.write(new byte[3000]);
      out.writeObject("behind");
    }

    @Override
    public void readExternal(ObjectInput in) throws IOException, ClassNotFoundException {
      see("one call", in.read(new byte[1900]));
      see("another", in.read(new byte[1100]));
      see("behind", in.readObject());
    }
  }

  @Test
  public void withoutBlocksOneCallReturnsWhatTheSourceHas() throws Exception {
    byte[] bytes =
        Wire.writeBy(
            out -> {
              out.useProtocolVersion(ObjectStreamConstants.PROTOCOL_VERSION_1);
              out.writeObject(new Raw());
              out.writeObject("after");
            });
    see("both", Wire.read(bytes, 2));
  }

  @Test
  public void protocolVersionIsChosenBeforeTheFirstObject() throws Exception {
    Wire.writeBy(
        out -> {
          attempt(
              "unknown",
              () -> {
                out.useProtocolVersion(3);
                return "accepted";
              });
          attempt(
              "two",
              () -> {
                out.useProtocolVersion(2);
                return "accepted";
              });
          out.writeObject("first");
          attempt(
              "late",
              () -> {
                out.useProtocolVersion(1);
                return "accepted";
              });
        });
  }

  @Test
  public void whatItDeclaresOfFieldsDoesNotCount() throws Exception {
    attempt("declaring", () -> Wire.copy(new Declaring()));
  }

  /** Writes text that is none, and a number behind it. */
  public static class Malformed implements Externalizable {
    @Override
    public void writeExternal(ObjectOutput out) throws IOException {
      out.write(new byte[] {0, 4, 'a', (byte) 0x80, 'b', 'c'});
      out.writeInt(7);
    }

    @Override
    public void readExternal(ObjectInput in) throws IOException {
      attempt("text", in::readUTF);
      see("number", in.readInt());
    }
  }

  @Test
  public void malformedTextOutsideBlocksIsTakenAsAWhole() throws Exception {
    byte[] bytes =
        Wire.writeBy(
            out -> {
              out.useProtocolVersion(ObjectStreamConstants.PROTOCOL_VERSION_1);
              out.writeObject(new Malformed());
            });
    Wire.read(bytes);
  }
}
