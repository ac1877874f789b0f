package io.karmi.benchmarks.serialization;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.Assume.assumeTrue;

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
    assumeTrue("not supported", !codec.unsupported().contains(payload));
    Specimen specimen = codec.specimen(payload);
    for (int message = 0; message < 3; message++) {
      Object result = codec.roundTrip(specimen.create());
      assertThat(specimen.isEqualTo(result)).as("message " + message + ": " + result).isTrue();
    }
  }

  @Test
  public void aMessageIsWhollyInItsBytes() throws Exception {
    Codec codec = stack.open();
    assumeTrue("not supported", !codec.unsupported().contains(payload));
    Specimen specimen = codec.specimen(payload);
    codec.roundTrip(specimen.create());
    int length = codec.serialize(specimen.create());
    byte[] message = Arrays.copyOf(codec.bytes(), length);
    for (int reading = 0; reading < 2; reading++) {
      assertThat(specimen.isEqualTo(codec.deserialize(message, length))).isTrue();
    }
  }
}
