package io.karmi.uka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.karmi.uka.buffer.InputBuffer;
import io.karmi.uka.buffer.OutputBuffer;
import java.io.IOException;
import java.io.ObjectStreamClass;
import java.nio.charset.StandardCharsets;
import org.junit.Test;

/** Array classes whose names come over connections. */
public class NamesOfArraysTest {
  private static final String NAME = "[[[Ljava.lang.Thread$State;";

  /** An array whose class is described without a version. */
  private static final int[] ARRAY = {0x05, 1, 0x02};

  /** No more of the class, no superclass, and no elements. */
  private static final int[] END = {0x0B, 0, 0};

  /** A stream that refuses arrays, and keeps the version that the last one was shown with. */
  private static final class Refusing extends ConnectionInputStream {
    private long version = -1;

    Refusing(InputBuffer from) throws IOException {
      super(from);
    }

    @Override
    protected Class<?> resolveClass(ObjectStreamClass description) throws ClassNotFoundException {
      version = description.getSerialVersionUID();
      throw new ClassNotFoundException("refused: " + description.getName());
    }
  }

  @Test
  public void areRefusedBeforeTheirClassesAreLookedFor() throws IOException {
    OutputBuffer sent = new OutputBuffer(16);
    for (int each : ARRAY) {
      sent.writeByte(each);
    }
    sent.writeByte(2 * NAME.length());
    sent.writeBytes(NAME.getBytes(StandardCharsets.ISO_8859_1), 0, NAME.length());
    for (int each : END) {
      sent.writeByte(each);
    }
    Refusing in = new Refusing(new InputBuffer(sent.bytes, 0, sent.position));
    assertThatThrownBy(in::readObject)
        .isInstanceOf(ClassNotFoundException.class)
        .hasMessageContaining("refused");
    assertThat(in.version).as("version, which only the class tells").isZero();
  }
}
