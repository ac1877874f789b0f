package io.karmi.benchmarks.measure;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.Assume.assumeTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import org.assertj.core.data.Offset;
import org.junit.Test;

public class SamplerTest {
  private static final Task TASK = new Task("a kernel", 10, 10, true);

  /** Sends bytes around in this JVM: each is written once and read once. */
  private static final class Sends implements Kernel {
    private static final int LENGTH = 1000;

    private final Socket sender;
    private final DataInputStream receiver;

    Sends(Socket sender, Socket receiver) throws IOException {
      this.sender = sender;
      this.receiver = new DataInputStream(receiver.getInputStream());
    }

    @Override
    public String name() {
      return "sends";
    }

    @Override
    public int callsPerRun() {
      return 1;
    }

    @Override
    public void run() throws IOException {
      sender.getOutputStream().write(new byte[LENGTH]);
      receiver.readFully(new byte[LENGTH]);
    }

    @Override
    public String check() {
      return "unchecked";
    }
  }

  /** Allocates, and is as wrong as it is told to be. */
  private record Allocates(boolean wrong, Object[] keep) implements Kernel {
    private static final int LENGTH = 10_000;

    @Override
    public String name() {
      return "allocates";
    }

    @Override
    public int callsPerRun() {
      return 2;
    }

    @Override
    public void run() {
      keep[0] = new byte[LENGTH];
    }

    @Override
    public String check() {
      if (wrong) {
        throw new IllegalStateException("wrong");
      }
      return "right";
    }
  }

  @Test
  public void wireBytesAreWhatTheSocketsCarry() throws Exception {
    assumeTrue("Linux counts them", ProcessCounters.sentBytes() >= 0);
    InetAddress loopback = InetAddress.getLoopbackAddress();
    try (ServerSocket server = new ServerSocket(0, 1, loopback);
        Socket sender = new Socket(loopback, server.getLocalPort());
        Socket receiver = server.accept()) {
      Measurement measured = sampler().measure(new Sends(sender, receiver), TASK);
      assertThat(measured.sentBytes()).isCloseTo(Sends.LENGTH, Offset.offset(100.0));
      assertThat(measured.receivedBytes()).isCloseTo(Sends.LENGTH, Offset.offset(100.0));
    }
  }

  @Test
  public void whatIsNotMeasuredHasTheTimesOfItsWarmUp() throws Exception {
    Measurement measured = sampler().measure(new Spins(), new Task("spins", 40, 0, true));
    assertThat(measured.times().median()).isGreaterThan(TimeUnit.MILLISECONDS.toNanos(4));
    assertThat(measured.allocatedBytes()).isNotNegative();
  }

  @Test
  public void severalThreadsRunAtOnce() throws Exception {
    CyclicBarrier together = new CyclicBarrier(3);
    Kernel waits =
        new Kernel() {
          @Override
          public String name() {
            return "waits";
          }

          @Override
          public int callsPerRun() {
            return 1;
          }

          @Override
          public void run() throws Exception {
            together.await(20, TimeUnit.SECONDS);
          }

          @Override
          public String check() {
            return "right";
          }
        };
    ByteArrayOutputStream answers = new ByteArrayOutputStream();
    byte[] task = (new Task("waits x3=5/6", 1, 1, false).toLine() + "\n").getBytes(UTF_8);
    List<String> asked = new ArrayList<>();
    new Tasks(
            name -> {
              asked.add(name);
              return new FewRuns(waits);
            },
            () -> new Use(0, 0))
        .serve(new ByteArrayInputStream(task), new PrintStream(answers, true, UTF_8));
    assertThat(asked).containsExactly("waits=5/6", "waits=5/6", "waits=5/6");
    List<String> printed = answers.toString(UTF_8).lines().toList();
    assertThat(printed).hasSize(2).startsWith(Tasks.READY);
    assertThat(Measurement.parse(printed.get(1)).kernel()).isEqualTo("waits x3");
  }

  /** Is busy for some milliseconds. */
  private static final class Spins implements Kernel {
    @Override
    public String name() {
      return "spins";
    }

    @Override
    public int callsPerRun() {
      return 1;
    }

    @Override
    public void run() {
      long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(5);
      while (System.nanoTime() < end) {
        Thread.onSpinWait();
      }
    }

    @Override
    public String check() {
      return "right";
    }
  }

  /** Waits for its like once: that often each of them is sure to run in the warm-up. */
  private static final class FewRuns implements Kernel {
    private static final int RUNS = 1;
    private final Kernel kernel;
    private int runs;

    FewRuns(Kernel kernel) {
      this.kernel = kernel;
    }

    @Override
    public String name() {
      return kernel.name();
    }

    @Override
    public int callsPerRun() {
      return kernel.callsPerRun();
    }

    @Override
    public void run() throws Exception {
      if (runs++ < RUNS) {
        kernel.run();
      }
    }

    @Override
    public String check() throws Exception {
      return kernel.check();
    }
  }

  @Test
  public void allocationIsCountedPerCall() throws Exception {
    Measurement measured = sampler().measure(new Allocates(false, new Object[1]), TASK);
    assertThat(measured.allocatedBytes())
        .as("two calls share an array")
        .isCloseTo(Allocates.LENGTH / 2.0, Offset.offset(200.0));
    assertThat(measured.observation()).isEqualTo("right");
  }

  @Test
  public void aWrongKernelIsNotMeasured() {
    assertThatThrownBy(() -> sampler().measure(new Allocates(true, new Object[1]), TASK))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  public void percentilesAreNearestRanks() {
    long[] nanos = {100, 20, 30, 40, 50, 60, 70, 80, 90, 10};
    assertThat(Percentiles.of(nanos, 1)).isEqualTo(new Percentiles(50, 90, 100, 100));
    assertThat(Percentiles.of(new long[] {14}, 2)).isEqualTo(new Percentiles(7, 7, 7, 7));
  }

  @Test
  public void clientsTogetherHaveTheirMiddleMedianAndTheWorstTail() {
    assertThat(
            Percentiles.together(
                List.of(
                    new Percentiles(1, 9, 10, 11),
                    new Percentiles(2, 3, 4, 50),
                    new Percentiles(3, 4, 5, 6))))
        .isEqualTo(new Percentiles(2, 9, 10, 50));
  }

  @Test
  public void timesAreStableWhenThreeSlicesAgree() {
    assertThat(Sampler.isStable(new ArrayDeque<>(List.of(100.0, 104.0, 101.0)))).isTrue();
    assertThat(Sampler.isStable(new ArrayDeque<>(List.of(106.0, 100.0, 100.0)))).isFalse();
  }

  @Test
  public void whatComesBeforeARunIsNotTimed() throws Exception {
    Kernel pausing =
        new Kernel() {
          @Override
          public String name() {
            return "pausing";
          }

          @Override
          public int callsPerRun() {
            return 1;
          }

          @Override
          public void prepare() throws InterruptedException {
            Thread.sleep(20);
          }

          @Override
          public void run() {}

          @Override
          public String check() {
            return "right";
          }
        };
    assertThat(sampler().measure(pausing, new Task("pausing", 1, 60, false)).times().median())
        .isLessThan(TimeUnit.MILLISECONDS.toNanos(20));
  }

  @Test
  public void processorTimeIsCounted() throws Exception {
    Measurement measured = sampler().measure(new Spins(), TASK);
    assertThat(measured.cpuNanos()).isPositive();
  }

  @Test
  public void aMeasurementSurvivesItsLine() {
    Measurement measured =
        new Measurement(
            "ping(4 int, 2 null)", new Percentiles(1.5, 2, 2.5, 2.75), 3, 4, -1, -1, "hash 7");
    assertThat(Measurement.parse(measured.toLine())).isEqualTo(measured);
    assertThatThrownBy(() -> Measurement.parse("measured\tping()"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("ping()");
  }

  @Test
  public void aTaskSurvivesItsLine() {
    assertThat(Task.parse(TASK.toLine())).isEqualTo(TASK);
    assertThatThrownBy(() -> Task.parse("measure\tping()"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("ping()");
  }

  @Test
  public void whatATaskDoesNotAskForIsNotCounted() throws Exception {
    Task uncounted = new Task("a kernel", 10, 10, false);
    Measurement measured = sampler().measure(new Allocates(false, new Object[1]), uncounted);
    assertThat(measured.allocatedBytes()).isEqualTo(Measurement.UNCOUNTED);
    assertThat(measured.times().median()).isPositive();
  }

  private static Sampler sampler() {
    return new Sampler(() -> new Use(0, 0));
  }
}
