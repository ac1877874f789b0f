package io.karmi.shm;

import static org.assertj.core.api.Assertions.assertThat;

import io.karmi.kit.Jvm;
import io.karmi.ring.RingMemory;
import io.karmi.ring.RingReader;
import io.karmi.ring.RingWriter;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/**
 * A JVM that uses a ring, interpreted and compiled, while another process cuts the file off, makes
 * it long again, and writes to it. Each access fails or does not; the JVM goes on.
 */
public class RingsUnderFireTest {
  private static final int RING = 4096;
  private static final int CONSUMER_ASLEEP = 128;
  private static final int PRODUCER_ASLEEP = 384;

  private static final int FIRE_MILLIS = 2000;

  /**
   * Upper bound of the time until the first access fails: a busy machine may not run the victim.
   */
  private static final int LIMIT_SECONDS = 60;

  private static final String HIT = "an access has failed";

  @Rule public final TemporaryFolder folder = new TemporaryFolder();

  private final Random random = new Random(42);

  /** Uses both ends of a ring in turn, while the file changes. */
  static final class Main {
    private static volatile boolean isUnderFire = true;

    private final RingMemory memory;
    private final byte[] bytes = new byte[3000];
    private RingWriter writer;
    private RingReader reader;
    private boolean isHit;

    private Main(RingMemory memory) {
      this.memory = memory;
      writer = new RingWriter(memory);
      reader = new RingReader(memory);
    }

    private void use(int step) throws IOException {
      switch (step) {
        case 0 -> writer.write(bytes, 0, bytes.length);
        case 1 -> reader.read(bytes, 0, bytes.length);
        case 2 -> {
          reader.fallAsleep();
          writer.mustWakeConsumer();
          reader.awake();
        }
        default -> {
          writer.fallAsleep();
          reader.mustWakeProducer();
          writer.awake();
        }
      }
    }

    /** Uses the ring until it is told to stop, in a thread of its own: faults are told late. */
    private void runUnderFire() {
      while (isUnderFire) {
        try {
          run();
        } catch (InternalError e) {
          if (!isHit) {
            isHit = true;
            System.out.println(HIT);
          }
        }
      }
    }

    private void run() {
      for (int i = 0; isUnderFire; i++) {
        try {
          use(i & 3);
          Thread.yield(); // here at the latest the JVM tells of a fault in compiled code
        } catch (IOException e) {
          writer = new RingWriter(memory); // a position that cannot be
          reader = new RingReader(memory);
        }
      }
    }

    public static void main(String[] arguments) throws Exception {
      Path path = Path.of(arguments[0]);
      try (FileChannel file =
          FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
        ByteBuffer mapped = Mapping.of(file, (int) Files.size(path));
        Main main = new Main(RingMemory.in(mapped, RING, SharedRings.CAPACITY));
        Thread victim = new Thread(main::runUnderFire);
        victim.setUncaughtExceptionHandler((thread, e) -> {}); // a fault that is told at its end
        victim.start();
        System.out.println("ready");
        System.in.read();
        isUnderFire = false;
        victim.join();
        System.out.println("ended");
      }
    }
  }

  @Test
  public void interpretedCodeSurvives() throws Exception {
    assertSurvives("-Xint");
  }

  @Test
  public void codeOfTheFirstCompilerSurvives() throws Exception {
    assertSurvives("-XX:TieredStopAtLevel=1");
  }

  @Test
  public void codeOfTheSecondCompilerSurvives() throws Exception {
    assertSurvives("-XX:-TieredCompilation", "-XX:TieredStopAtLevel=4");
  }

  private void assertSurvives(String... modes) throws Exception {
    Path path = folder.getRoot().toPath().resolve("rings");
    SharedRings.create(path, new byte[SharedRings.SECRET_BYTES], SharedRings.CAPACITY).close();
    long size = Files.size(path);
    try (FileChannel file =
            FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE);
        Jvm victim = Jvm.start(arguments(path, modes))) {
      victim.awaitLine("ready");
      long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(FIRE_MILLIS);
      long limit = end + TimeUnit.SECONDS.toNanos(LIMIT_SECONDS);
      for (int i = 0; System.nanoTime() < (victim.lines().contains(HIT) ? end : limit); i++) {
        cutAndMend(file, size, i);
      }
      assertThat(victim.lines()).as("the JVM under fire").containsExactly("ready", HIT);
      victim.ask("end", "ended");
    }
  }

  private String[] arguments(Path path, String... modes) {
    List<String> all = new ArrayList<>(List.of(modes));
    all.addAll(List.of("-Xmx64m", "-XX:+UseSerialGC", "-XX:-CreateCoredumpOnCrash"));
    all.add("-XX:ErrorFile=" + folder.getRoot().toPath().resolve("crash.log"));
    all.addAll(List.of(Main.class.getName(), path.toString()));
    return all.toArray(new String[0]);
  }

  /** Cuts the file in front of the ring, or within it, and lets holes take its place. */
  private void cutAndMend(FileChannel file, long size, int round) throws IOException {
    file.truncate(round % 4 == 0 ? RING + 4096L * random.nextInt(32) : RING);
    write(file, size - Long.BYTES, 0);
    write(file, RING + CONSUMER_ASLEEP, random.nextLong() | 1);
    write(file, RING + PRODUCER_ASLEEP, 1);
  }

  private static void write(FileChannel file, long at, long value) throws IOException {
    ByteBuffer word = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.nativeOrder());
    file.write(word.putLong(0, value), at);
  }
}
