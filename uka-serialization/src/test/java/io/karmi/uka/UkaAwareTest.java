package io.karmi.uka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.karmi.uka.buffer.InputBuffer;
import io.karmi.uka.buffer.OutputBuffer;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import org.junit.Test;

/** Classes that carry their own marshalers, written by hand. */
public class UkaAwareTest {
  static class Woven implements Serializable, UkaAware {
    private static final long serialVersionUID = 1;
    static int marshalled;
    private final long id;
    private final boolean open;
    private Object other;

    Woven(long id, boolean open) {
      this.id = id;
      this.open = open;
    }

    @Override
    public void marshal(UkaObjectOutputStream out) throws IOException {
      marshalled++;
      OutputBuffer to = out.buffer();
      to.reserve(9);
      to.writeLong(id);
      to.writeBoolean(open);
      out.writeReference(other);
    }

    Woven(UkaObjectInputStream in) throws IOException, ClassNotFoundException {
      in.register(this);
      InputBuffer from = in.buffer();
      from.require(9);
      long id = from.readLong();
      boolean open = from.readBoolean();
      Object other = in.cast(in.readReference(), Object.class, Woven.class, "other", this);
      this.id = id;
      this.open = open;
      this.other = other;
    }
  }

  /** The same serial form, by the general path. */
  static class Plain implements Serializable {
    private static final long serialVersionUID = 1;
    private final long id;
    private final boolean open;
    private Object other;

    Plain(long id, boolean open) {
      this.id = id;
      this.open = open;
    }
  }

  static class WovenChild extends Woven {
    private static final long serialVersionUID = 1;
    private String name = "child";

    WovenChild() {
      super(3, true);
    }

    @Override
    public void marshal(UkaObjectOutputStream out) throws IOException {
      super.marshal(out);
      out.writeReference(name);
    }

    WovenChild(UkaObjectInputStream in) throws IOException, ClassNotFoundException {
      super(in);
      name = in.cast(in.readReference(), String.class, WovenChild.class, "name", this);
    }
  }

  /** Inherits marshalers that know nothing of its field. */
  static class UnwovenChild extends Woven {
    private static final long serialVersionUID = 1;
    private String name = "unwoven";

    UnwovenChild() {
      super(4, true);
    }
  }

  private static byte[] write(Object value) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (UkaObjectOutputStream out = new UkaObjectOutputStream(bytes)) {
      out.writeObject(value);
    }
    return bytes.toByteArray();
  }

  private static Object read(byte[] bytes) throws IOException, ClassNotFoundException {
    return new UkaObjectInputStream(new ByteArrayInputStream(bytes)).readObject();
  }

  @Test
  public void itsOwnMarshalersAreUsed() throws Exception {
    Woven.marshalled = 0;
    Woven copy = (Woven) read(write(new Woven(42, true)));
    assertThat(Woven.marshalled).isOne();
    assertThat(copy.id).isEqualTo(42);
    assertThat(copy.open).isTrue();
  }

  @Test
  public void theBytesAreThoseOfTheGeneralPath() throws Exception {
    String woven = new String(write(new Woven(7, true)), StandardCharsets.ISO_8859_1);
    String plain = new String(write(new Plain(7, true)), StandardCharsets.ISO_8859_1);
    assertThat(woven.replace("Woven", "Plain")).isEqualTo(plain);
  }

  @Test
  public void cyclesClose() throws Exception {
    Woven woven = new Woven(1, false);
    woven.other = new Object[] {woven, "x"};
    Woven copy = (Woven) read(write(woven));
    assertThat((Object[]) copy.other).containsExactly(copy, "x");
  }

  @Test
  public void superclassesGoFirst() throws Exception {
    WovenChild copy = (WovenChild) read(write(new WovenChild()));
    assertThat(copy.name).isEqualTo("child");
    assertThat(((Woven) copy).id).isEqualTo(3);
  }

  @Test
  public void aSubclassWithoutMarshalersLosesNothing() throws Exception {
    Woven.marshalled = 0;
    UnwovenChild child = new UnwovenChild();
    child.name = "changed";
    UnwovenChild copy = (UnwovenChild) read(write(child));
    assertThat(Woven.marshalled).as("inherited marshalers do not count").isZero();
    assertThat(copy.name).isEqualTo("changed");
    assertThat(((Woven) copy).id).isEqualTo(4);
  }

  @Test
  public void aWrongTypeIsReportedAsTheJdkDoes() throws Exception {
    UkaObjectInputStream in = new UkaObjectInputStream(new ByteArrayInputStream(write("s")));
    assertThatThrownBy(() -> in.cast(1, String.class, WovenChild.class, "name", new WovenChild()))
        .isInstanceOf(ClassCastException.class)
        .hasMessage(
            "cannot assign instance of java.lang.Integer to field %1$s.name of type"
                + " java.lang.String in instance of %1$s",
            WovenChild.class.getName());
  }
}
