package io.karmi.messaging;

import static org.assertj.core.api.Assertions.assertThat;

import io.karmi.id.NodeId;
import io.karmi.marshal.CallFormat;
import io.karmi.marshal.CallObjectOutput;
import io.karmi.marshal.CallOutput;
import io.karmi.marshal.JdkFormat;
import io.karmi.marshal.PlainTranslation;
import io.karmi.marshal.UkaFormat;
import io.karmi.uka.buffer.OutputBuffer;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.rmi.Remote;
import java.util.Arrays;
import org.junit.Before;
import org.junit.Test;

public class SharedMessageTest {
  private static final CallFormat FORMAT = new UkaFormat();

  private static int written;

  @Before
  public void countFromZero() {
    written = 0;
  }

  private static class Counted implements Serializable {
    private static final long serialVersionUID = 1;
    final transient Object content;

    Counted(Object content) {
      this.content = content;
    }

    private void writeObject(ObjectOutputStream out) throws IOException {
      written++;
      if (content instanceof Remote) {
        ((CallObjectOutput) out).call().pin(content); // as references do
      } else {
        out.writeObject(content);
      }
    }
  }

  /* A class for each test: what a message of a class needs is known from the last one. */

  private static final class Copied extends Counted {
    private static final long serialVersionUID = 1;

    Copied() {
      super(new int[10_000]);
    }
  }

  private static final class Referring extends Counted {
    private static final long serialVersionUID = 1;

    Referring() {
      super(new Remote() {});
    }
  }

  private static final class InTwoFormats extends Counted {
    private static final long serialVersionUID = 1;

    InTwoFormats() {
      super("text");
    }
  }

  private static CallOutput lane(CallFormat format) {
    PlainTranslation translation = new PlainTranslation(null);
    return new CallOutput(new OutputBuffer(0), format, translation, NodeId.UNKNOWN);
  }

  private static byte[] bytes(CallOutput lane) {
    return Arrays.copyOf(lane.buffer.bytes, lane.buffer.position);
  }

  private static boolean write(SharedMessage message, CallOutput lane, CallFormat format)
      throws IOException {
    return message.write(lane, format, message.standsAlone(format));
  }

  @Test
  public void aCopyIsWhatTheFirstLaneHasMarshalled() throws Exception {
    SharedMessage message = new SharedMessage(new Copied());
    CallOutput first = lane(FORMAT);
    CallOutput second = lane(FORMAT);
    assertThat(write(message, first, FORMAT)).as("first does not know its types").isFalse();
    assertThat(write(message, second, FORMAT)).as("second does not know its types").isTrue();
    assertThat(bytes(second)).isEqualTo(bytes(first));
    assertThat(written).isEqualTo(1);
  }

  @Test
  public void aMessageWithReferencesIsMarshalledForEachNodeAndKeepsThemForEach() throws Exception {
    SharedMessage message = new SharedMessage(new Referring());
    for (CallOutput lane : new CallOutput[] {lane(FORMAT), lane(FORMAT)}) {
      assertThat(write(message, lane, FORMAT)).isFalse();
      assertThat(lane.pinMark()).isEqualTo(1);
    }
    assertThat(written).isEqualTo(2);
  }

  @Test
  public void aLaneOfAnotherFormatMarshalsItself() throws Exception {
    SharedMessage message = new SharedMessage(new InTwoFormats());
    CallFormat other = new JdkFormat();
    write(message, lane(FORMAT), FORMAT);
    assertThat(write(message, lane(other), other)).isFalse();
    assertThat(write(message, lane(FORMAT), FORMAT)).as("as the first one").isTrue();
    assertThat(written).isEqualTo(2);
  }

  @Test
  public void aClassOfShortMessagesIsMarshalledForEachNode() throws Exception {
    write(new SharedMessage(1), lane(FORMAT), FORMAT);
    write(new SharedMessage(2), lane(FORMAT), FORMAT); // which is not cold
    SharedMessage message = new SharedMessage(3);
    assertThat(message.standsAlone(FORMAT)).isFalse();
    assertThat(write(message, lane(FORMAT), FORMAT)).isFalse();
    assertThat(write(message, lane(FORMAT), FORMAT)).isFalse();
  }
}
