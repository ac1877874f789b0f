package io.karmi.uka.hostile;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Random;
import org.junit.Test;

/** Mutated streams, the same ones each time, and what fuzzing has found. */
public class HostileBytesTest {

  private static final int MUTANTS_PER_SEED = 100;
  private static final byte[] TELLING = {0, 1, 2, 0x7F, (byte) 0x80, (byte) 0xFF, 0x70, 0x78};

  @Test
  public void seedsAreReadable() throws Exception {
    for (byte[] seed : Seeds.all()) {
      FuzzTarget.fuzzerTestOneInput(seed);
    }
  }

  @Test
  public void truncatedStreamsEndInExceptions() throws Exception {
    for (byte[] seed : Seeds.all()) {
      for (int length = 0; length < seed.length; length++) {
        check(Arrays.copyOf(seed, length));
      }
    }
  }

  @Test
  public void mutatedStreamsEndInExceptions() throws Exception {
    List<byte[]> seeds = Seeds.all();
    Random random = new Random(42);
    for (byte[] seed : seeds) {
      for (int i = 0; i < MUTANTS_PER_SEED; i++) {
        byte[] mutant = seed;
        for (int j = random.nextInt(4); j >= 0; j--) {
          mutant = mutate(mutant, seeds.get(random.nextInt(seeds.size())), random);
        }
        check(mutant);
      }
    }
  }

  @Test
  public void findingsOfFuzzingStayFixed() throws Exception {
    File[] findings = new File(getClass().getResource("findings").toURI()).listFiles();
    assertThat(findings).isNotEmpty();
    for (File finding : findings) {
      check(Files.readAllBytes(finding.toPath()));
    }
  }

  private static void check(byte[] data) {
    try {
      FuzzTarget.fuzzerTestOneInput(data);
    } catch (Error e) {
      throw new AssertionError("input " + Base64.getEncoder().encodeToString(data), e);
    }
  }

  private static byte[] mutate(byte[] original, byte[] other, Random random) {
    byte[] mutant = original.clone();
    int body = Math.min(4, mutant.length);
    if (mutant.length <= body) {
      return mutant;
    }
    int at = body + random.nextInt(mutant.length - body);
    switch (random.nextInt(6)) {
      case 0 -> mutant[at] ^= (byte) (1 << random.nextInt(8));
      case 1 -> mutant[at] = TELLING[random.nextInt(TELLING.length)];
      case 2 -> mutant[at] = (byte) random.nextInt();
      case 3 -> mutant = without(mutant, at, 1 + random.nextInt(4));
      case 4 -> mutant = with(mutant, at, mutant, body + random.nextInt(mutant.length - body));
      default -> mutant = with(mutant, at, other, Math.min(4, other.length));
    }
    return mutant;
  }

  private static byte[] without(byte[] bytes, int at, int count) {
    ByteArrayOutputStream result = new ByteArrayOutputStream();
    result.write(bytes, 0, at);
    int rest = Math.min(bytes.length, at + count);
    result.write(bytes, rest, bytes.length - rest);
    return result.toByteArray();
  }

  /** Copies up to sixteen bytes of another stream into this one. */
  private static byte[] with(byte[] bytes, int at, byte[] source, int from) {
    ByteArrayOutputStream result = new ByteArrayOutputStream();
    result.write(bytes, 0, at);
    result.write(source, from, Math.min(16, source.length - from));
    result.write(bytes, at, bytes.length - at);
    return result.toByteArray();
  }
}
