package io.karmi.uka.format.uka;

import static org.assertj.core.api.Assertions.assertThat;

import io.karmi.uka.buffer.InputBuffer;
import io.karmi.uka.buffer.OutputBuffer;
import io.karmi.uka.codec.PlatformCodecs;
import io.karmi.uka.type.ClassDescription;
import io.karmi.uka.type.FieldDescription;
import java.io.IOException;
import java.io.ObjectStreamConstants;
import org.junit.Test;

public class UkaDescriptionTest {
  private static final String NAME = UkaDescriptionTest.class.getName() + "$Absent";

  @Test
  public void whatOneStreamHasReadIsKnownToTheNext() throws IOException {
    byte[] bytes = encode(describe(1, "first"));
    ClassDescription read = read(bytes);
    assertThat(read(bytes)).as("second time").isSameAs(read);
  }

  @Test
  public void knownBytesAreTakenToTheLast() throws IOException {
    byte[] bytes = encode(describe(2, "first"));
    read(bytes);
    InputBuffer in = new InputBuffer(bytes, 0, bytes.length);
    assertThat(UkaDescription.take(in)).isNotNull();
    assertThat(in.remaining()).isZero();
  }

  @Test
  public void anotherVersionIsNotTakenForTheKnownOne() throws IOException {
    read(encode(describe(3, "first")));
    assertThat(read(encode(describe(4, "first"))).serialVersionUid).isEqualTo(4);
    assertThat(read(encode(describe(3, "other"))).fields[0].name()).isEqualTo("other");
    assertThat(read(encode(describe(3, "first", "second"))).fields).hasSize(2);
    assertThat(read(encode(describe(3))).fields).isEmpty();
  }

  @Test
  public void nothingIsTakenBeforeAllHasArrived() throws IOException {
    byte[] bytes = encode(describe(5, "first"));
    read(bytes);
    for (int length = 0; length < bytes.length; length++) {
      InputBuffer in = new InputBuffer(bytes, 0, length);
      assertThat(UkaDescription.take(in)).as("of %d bytes", length).isNull();
      assertThat(in.position).isZero();
    }
  }

  private static ClassDescription describe(long uid, String... fields) throws IOException {
    FieldDescription[] described = new FieldDescription[fields.length];
    for (int i = 0; i < fields.length; i++) {
      described[i] = new FieldDescription('I', fields[i], "I");
    }
    return new ClassDescription(NAME, uid, ObjectStreamConstants.SC_SERIALIZABLE, described);
  }

  private static byte[] encode(ClassDescription description) throws IOException {
    OutputBuffer out = new OutputBuffer(64);
    new UkaFormatWriter(out, PlatformCodecs.DESCRIPTIONS)
        .writeDescription(description, false, null);
    return java.util.Arrays.copyOf(out.bytes, out.position);
  }

  private static ClassDescription read(byte[] bytes) throws IOException {
    return new UkaFormatReader(new InputBuffer(bytes, 0, bytes.length), PlatformCodecs.DESCRIPTIONS)
        .readDescription(null);
  }
}
