package io.karmi.uka.format.uka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.karmi.uka.UkaObjectInputStream;
import io.karmi.uka.UkaObjectOutputStream;
import io.karmi.uka.buffer.InputBuffer;
import io.karmi.uka.buffer.OutputBuffer;
import io.karmi.uka.codec.PlatformCodecs;
import io.karmi.uka.type.ClassDescription;
import io.karmi.uka.type.LocalClass;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.ObjectStreamClass;
import java.io.Serializable;
import java.io.StreamCorruptedException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.Test;

public class PlatformDescriptionsTest {
  @Test
  public void theTableIsTheJdks() throws Exception {
    for (int i = 0; i < PlatformCodecs.DESCRIPTIONS.size(); i++) {
      ClassDescription description = PlatformCodecs.DESCRIPTIONS.get(i);
      Class<?> type = Class.forName(description.name);
      ClassDescription local = LocalClass.of(type).description();
      assertThat(PlatformCodecs.DESCRIPTIONS.find(local)).as(description.name).isEqualTo(i);
      assertThat(LocalClass.of(type).streamClass().getSerialVersionUID())
          .as(description.name)
          .isEqualTo(description.serialVersionUid);
    }
  }

  @Test
  public void aClassOfThePlatformTakesAByte() throws IOException {
    ClassDescription integer = LocalClass.of(Integer.class).description();
    OutputBuffer out = new OutputBuffer(64);
    new UkaFormatWriter(out, PlatformCodecs.DESCRIPTIONS).writeDescription(integer, true, null);
    assertThat(out.position).isEqualTo(1);
    InputBuffer in = new InputBuffer(out.bytes, 0, out.position);
    assertThat(
            new UkaFormatReader(in, PlatformCodecs.DESCRIPTIONS)
                .readDescription(null)
                .sameLayout(integer))
        .isTrue();
  }

  @Test
  public void anotherVersionIsDescribedInFull() throws IOException {
    ClassDescription local = LocalClass.of(Integer.class).description();
    ClassDescription other = new ClassDescription(local.name, 1, local.flags, local.fields);
    OutputBuffer out = new OutputBuffer(64);
    new UkaFormatWriter(out, PlatformCodecs.DESCRIPTIONS).writeDescription(other, true, null);
    assertThat(out.position).isGreaterThan(local.name.length());
    InputBuffer in = new InputBuffer(out.bytes, 0, out.position);
    assertThat(
            new UkaFormatReader(in, PlatformCodecs.DESCRIPTIONS)
                .readDescription(null)
                .serialVersionUid)
        .isEqualTo(1);
  }

  static class Above implements Serializable {
    private static final long serialVersionUID = 1;
    int above;
    List<String> names;
  }

  static class Below extends Above {
    private static final long serialVersionUID = 2;
    List<String> more;
  }

  private static final List<Class<?>> DESCRIBED =
      List.of(
          ArrayList.class,
          UUID.class,
          String.class,
          Integer.class,
          FileNotFoundException.class,
          Below.class);

  @Test
  public void aDescriptorThatWasReadWithoutItsClassIsWrittenAsBefore() throws Exception {
    for (Class<?> type : DESCRIBED) {
      byte[] first = written(ObjectStreamClass.lookup(type));
      ObjectStreamClass classless;
      try (Classless in = new Classless(first)) {
        classless = (ObjectStreamClass) in.readObject();
      }
      assertThat(classless.forClass()).isNull();
      assertThat(written(classless)).as(type.getName()).isEqualTo(first);
    }
  }

  private static byte[] written(ObjectStreamClass descriptor) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (UkaObjectOutputStream out = new UkaObjectOutputStream(bytes)) {
      out.writeObject(descriptor);
    }
    return bytes.toByteArray();
  }

  /** Knows no class. */
  private static final class Classless extends UkaObjectInputStream {
    Classless(byte[] bytes) throws IOException {
      super(new ByteArrayInputStream(bytes));
    }

    @Override
    protected Class<?> resolveClass(ObjectStreamClass descriptor) {
      return null;
    }
  }

  @Test
  public void aNumberThatNoClassHasIsRefused() {
    InputBuffer in = new InputBuffer(new byte[] {(byte) 0xFF}, 0, 1);
    assertThatThrownBy(
            () -> new UkaFormatReader(in, PlatformCodecs.DESCRIPTIONS).readDescription(null))
        .isInstanceOf(StreamCorruptedException.class)
        .hasMessageContaining("127");
  }
}
