package io.karmi.uka;

import static org.assertj.core.api.Assertions.assertThat;

import io.karmi.uka.buffer.InputBuffer;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import org.junit.Test;

/** What a subclass of a stream overrides closes the short way; what it adds does not. */
public class OverridesTest {
  /** Sees what {@code readObject} methods read. */
  private abstract static class Counting extends UkaObjectInputStream {
    Counting() throws IOException {}

    @Override
    public int readInt() throws IOException {
      return super.readInt();
    }
  }

  /** Overrides what java.io's stream does not have, and adds more. */
  private abstract static class Skipping extends ConnectionInputStream {
    Skipping(InputBuffer buffer) throws IOException {
      super(buffer);
    }

    @Override
    public void skipMessage() throws IOException {
      super.skipMessage();
    }

    @SuppressWarnings("unused")
    public int readInt(String name) {
      return name.length();
    }
  }

  /** Sees what {@code writeObject} methods write, and has a subclass. */
  private abstract static class Printing extends UkaObjectOutputStream {
    Printing() throws IOException {}

    @Override
    public void writeUTF(String text) throws IOException {
      super.writeUTF(text);
    }
  }

  private abstract static class PrintingMore extends Printing {
    PrintingMore() throws IOException {}

    @SuppressWarnings("unused")
    public void writeAll() {}
  }

  @Test
  public void methodOfTheStandardStreamSeesCalls() {
    assertThat(Overrides.overridesCalls(Counting.class, ObjectInputStream.class)).isTrue();
    assertThat(Overrides.overridesCalls(PrintingMore.class, ObjectOutputStream.class)).isTrue();
  }

  @Test
  public void methodOfTheLibrarysOwnSeesNone() {
    assertThat(Overrides.overridesCalls(Skipping.class, ObjectInputStream.class)).isFalse();
  }
}
