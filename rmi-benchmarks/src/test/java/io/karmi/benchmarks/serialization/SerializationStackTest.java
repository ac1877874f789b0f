package io.karmi.benchmarks.serialization;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.Parameterized;
import org.junit.runners.Parameterized.Parameters;

/** A benchmark of a wrong answer is worth nothing: every stack returns what it was given. */
@RunWith(Parameterized.class)
public class SerializationStackTest {
  private final SerializationStack stack;
  private final SerializationPayload payload;

  public SerializationStackTest(SerializationStack stack, SerializationPayload payload) {
    this.stack = stack;
    this.payload = payload;
  }

  @Parameters(name = "{0} {1}")
  public static List<Object[]> everyStackAndPayload() {
    List<Object[]> all = new ArrayList<>();
    for (SerializationStack stack : SerializationStack.values()) {
      for (SerializationPayload payload : SerializationPayload.values()) {
        all.add(new Object[] {stack, payload});
      }
    }
    return all;
  }

  @Test
  public void returnsAnEqualObjectEveryTime() throws Exception {
    Codec codec = stack.open();
    for (int message = 0; message < 3; message++) {
      Object result = codec.roundTrip(payload.create());
      assertThat(payload.isEqualTo(result)).as("message " + message + ": " + result).isTrue();
    }
  }

  @Test
  public void aMessageIsWhollyInItsBytes() throws Exception {
    Codec codec = stack.open();
    codec.roundTrip(payload.create());
    int length = codec.serialize(payload.create());
    byte[] message = Arrays.copyOf(codec.bytes(), length);
    for (int reading = 0; reading < 2; reading++) {
      assertThat(payload.isEqualTo(codec.deserialize(message, length))).isTrue();
    }
  }
}
