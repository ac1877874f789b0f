package io.karmi.benchmarks.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.Assume.assumeTrue;

import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
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
    assumeTrue("Linux counts them", ProcessCounters.transferredBytes() >= 0);
    InetAddress loopback = InetAddress.getLoopbackAddress();
    try (ServerSocket server = new ServerSocket(0, 1, loopback);
        Socket sender = new Socket(loopback, server.getLocalPort());
        Socket receiver = server.accept()) {
      Measurement measured = sampler().measure(new Sends(sender, receiver), TASK);
      assertThat(measured.wireBytes()).isCloseTo(2.0 * Sends.LENGTH, Offset.offset(200.0));
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
    long[] sorted = {10, 20, 30, 40, 50, 60, 70, 80, 90, 100};
    assertThat(Sampler.percentile(sorted, 50)).isEqualTo(50);
    assertThat(Sampler.percentile(sorted, 99)).isEqualTo(100);
    assertThat(Sampler.percentile(new long[] {7}, 50)).isEqualTo(7);
  }

  @Test
  public void aMeasurementSurvivesItsLine() {
    Measurement measured = new Measurement("ping(4 int, 2 null)", 1.5, 2.5, 3, -1, "hash 7");
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
    assertThat(measured.medianNanos()).isPositive();
  }

  private static Sampler sampler() {
    return new Sampler(() -> 0);
  }
}
