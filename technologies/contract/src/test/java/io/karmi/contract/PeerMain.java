package io.karmi.contract;

import io.karmi.id.ObjectId;
import io.karmi.kit.Jvm;
import io.karmi.technology.Technology;
import io.karmi.technology.TechnologyProvider;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.HexFormat;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** A node in a JVM of its own, whose object is a {@link Nodes#successor} or never answers. */
public final class PeerMain {
  private static final String OBJECT = "object ";

  /** Line that is printed when an object that never answers is called. */
  public static final String CALLED = "called";

  private static final String HANGING = "hanging";
  private static final String SLOW = "slow";
  private static final String DELAY = "karmi.test.delayMillis";
  private static final String SLOW_CALLS = "karmi.test.slowCalls";
  private static final int MOST_SECONDS = 120;

  private PeerMain() {}

  /** Starts a JVM; options such as {@code -Dname=value} go before. */
  public static Jvm start(Class<? extends TechnologyProvider> provider, String... options)
      throws IOException {
    return start(provider, "answering", options);
  }

  /** The same, of an object that says that it is called and never answers. */
  public static Jvm startHanging(Class<? extends TechnologyProvider> provider) throws IOException {
    return start(provider, HANGING, new String[0]);
  }

  /**
   * The same, of an object that says that it is called and answers after that time.
   *
   * @param slowCalls how many calls take that time; later ones are answered at once
   */
  public static Jvm startSlow(
      Class<? extends TechnologyProvider> provider,
      long delayMillis,
      int slowCalls,
      String... options)
      throws IOException {
    String[] all = java.util.Arrays.copyOf(options, options.length + 2);
    all[options.length] = "-D" + DELAY + "=" + delayMillis;
    all[options.length + 1] = "-D" + SLOW_CALLS + "=" + slowCalls;
    return start(provider, SLOW, all);
  }

  private static Jvm start(
      Class<? extends TechnologyProvider> provider, String behaviour, String[] options)
      throws IOException {
    String[] all = java.util.Arrays.copyOf(options, options.length + 3);
    all[options.length] = PeerMain.class.getName();
    all[options.length + 1] = provider.getName();
    all[options.length + 2] = behaviour;
    return Jvm.start(all);
  }

  /** The object of a JVM that has been started. */
  public static ObjectId object(Jvm peer) throws IOException, InterruptedException {
    byte[] id = HexFormat.of().parseHex(peer.awaitLine(OBJECT));
    return ObjectId.read(new DataInputStream(new ByteArrayInputStream(id)));
  }

  /** Listens, says at what, and stays until it is killed. */
  public static void main(String[] arguments) throws Exception {
    CountDownLatch end = new CountDownLatch(1);
    Callee node = node(arguments[1], end);
    TechnologyProvider provider =
        (TechnologyProvider) Class.forName(arguments[0]).getConstructor().newInstance();
    Technology technology = provider.open(node);
    ByteArrayOutputStream id = new ByteArrayOutputStream();
    Nodes.object(node, technology.listen(0)).write(new DataOutputStream(id));
    print(OBJECT + HexFormat.of().formatHex(id.toByteArray()));
    end.await(MOST_SECONDS, TimeUnit.SECONDS);
    technology.close();
  }

  private static Callee node(String behaviour, CountDownLatch end) {
    long millis =
        behaviour.equals(HANGING)
            ? MOST_SECONDS * 1000L
            : behaviour.equals(SLOW) ? Long.getLong(DELAY) : 0;
    AtomicInteger slow = new AtomicInteger(Integer.getInteger(SLOW_CALLS, Integer.MAX_VALUE));
    return millis == 0
        ? Nodes.successor()
        : Nodes.successorAfter(
            () -> {
              print(CALLED);
              if (slow.getAndDecrement() > 0) {
                end.await(millis, TimeUnit.MILLISECONDS);
              }
            });
  }

  private static void print(String line) {
    System.out.println(line);
    System.out.flush();
  }
}
