package io.karmi.stress;

import static org.assertj.core.api.Assertions.assertThat;

import io.karmi.kit.FreePort;
import io.karmi.kit.Jvm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.Test;

/**
 * One JVM makes objects, others pass them around; some are killed, some are stopped for a while.
 *
 * <p>{@code karmi.stress.seconds} makes it longer. No process is stopped for as long as a lease
 * allows, because who is silent longer has lost its references by contract.
 */
public class CollectorStressTest {
  private static final System.Logger LOG = System.getLogger(CollectorStressTest.class.getName());
  private static final int CUSTOMERS = 3;
  private static final int SECONDS = Integer.getInteger("karmi.stress.seconds", 4);

  /** Renewed after half of it: a process may be stopped, and stand still for some seconds more. */
  private static final long LEASE_MILLIS = 8_000;

  private static final String LEASE = "-Djava.rmi.dgc.leaseValue=" + LEASE_MILLIS;

  private static final long STOP_MILLIS = 800;

  /** For collections in all JVMs on a busy machine. */
  private static final long SLACK_MILLIS = 60_000;

  private final Random random = new Random();
  private final List<Jvm> customers = new ArrayList<>();
  private List<String> options;
  private int port;
  private int kills;
  private int stops;
  private int operations;

  @Test
  public void leasesLoseNothingAndKeepNoGarbage() throws Exception {
    options = List.of(LEASE);
    run(LEASE_MILLIS * 5 / 4);
  }

  @Test
  public void countingLosesNothingAndKeepsNoGarbage() throws Exception {
    options = List.of("-Dkarmi.dgc=counting", LEASE);
    run(LEASE_MILLIS); // for what was on its way to a customer that was killed
  }

  private void run(long promisedMillis) throws Exception {
    port = FreePort.any();
    try (Jvm warehouse = started(WarehouseMain.class)) {
      for (int i = 0; i < CUSTOMERS; i++) {
        customers.add(customer());
      }
      disturb();
      drain();
      drain(); // what a customer was given while it drained
      awaitEmpty(warehouse, promisedMillis);
      assertThat(operations).as("operations of those that live").isGreaterThan(100);
      assertThat(kills).isPositive();
    } finally {
      customers.forEach(Jvm::close);
    }
  }

  private Jvm customer() throws IOException, InterruptedException {
    return started(CustomerMain.class);
  }

  private Jvm started(Class<?> main) throws IOException, InterruptedException {
    List<String> arguments =
        new ArrayList<>(List.of("-XX:TieredStopAtLevel=4", "-XX:+UseSerialGC", "-Xmx64m"));
    arguments.addAll(options);
    arguments.addAll(List.of(main.getName(), String.valueOf(port)));
    Jvm jvm = Jvm.start(arguments.toArray(new String[0]));
    jvm.awaitLine("ready");
    return jvm;
  }

  private void disturb() throws Exception {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
    boolean stopping = canStop();
    if (!stopping) {
      LOG.log(
          System.Logger.Level.WARNING, "there is no kill on this system: no process is stopped");
    }
    for (int turn = 0; System.nanoTime() - end < 0; turn++) {
      int victim = random.nextInt(CUSTOMERS);
      if (stopping && turn % 2 == 1) {
        stop(customers.get(victim));
      } else {
        kill(victim);
      }
    }
  }

  private static boolean canStop() {
    return Files.isExecutable(Path.of("/bin/kill")) || Files.isExecutable(Path.of("/usr/bin/kill"));
  }

  private void kill(int victim) throws Exception {
    Jvm killed = customers.get(victim);
    assertNoViolation(killed);
    killed.close();
    kills++;
    customers.set(victim, customer());
  }

  /** The pause is what is tested, and waits for nothing. */
  private void stop(Jvm customer) throws Exception {
    customer.signal("STOP");
    try {
      TimeUnit.MILLISECONDS.sleep(STOP_MILLIS);
    } finally {
      customer.signal("CONT");
    }
    stops++;
  }

  private void drain() throws Exception {
    operations = 0;
    for (Jvm customer : customers) {
      String[] answer = customer.ask("drain", "drained ").split(" ");
      operations += Integer.parseInt(answer[1]);
      assertNoViolation(customer);
    }
  }

  private static void assertNoViolation(Jvm customer) {
    assertThat(customer.linesWith("VIOLATION")).as("collected while referenced").isEmpty();
  }

  private void awaitEmpty(Jvm warehouse, long promisedMillis) throws Exception {
    long begun = System.nanoTime();
    long deadline = begun + TimeUnit.MILLISECONDS.toNanos(promisedMillis + SLACK_MILLIS);
    String alive = warehouse.ask("alive", "alive ");
    while (!alive.startsWith("0 ")) {
      assertThat(System.nanoTime() - deadline)
          .as("garbage in time: alive %s after %d kills and %d stops", alive, kills, stops)
          .isNegative();
      for (Jvm customer : customers) {
        customer.ask("drain", "drained");
      }
      alive = warehouse.ask("alive", "alive ");
    }
    long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun);
    LOG.log(
        System.Logger.Level.DEBUG,
        "{0}: {1} operations, {2} kills, {3} stops, the last item collected after {4} ms",
        options,
        operations,
        kills,
        stops,
        millis);
  }
}
