package io.karmi.benchmarks.exchange;

import io.karmi.benchmarks.measure.CommandedJvm;
import io.karmi.benchmarks.measure.FreePort;
import io.karmi.cli.Unfinished;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;

/**
 * An owner, with the directory, and its readers, in JVMs of their own: two on its host, and one
 * whose files are those of another host, and which uses TCP alone. Used by one thread.
 */
final class ExchangeNodes implements AutoCloseable {
  private final Path otherHost = Unfinished.add(Files.createTempDirectory("karmi-bench-exchange"));
  private final CommandedJvm owner;
  private final CommandedJvm first;
  private final CommandedJvm second;
  private final CommandedJvm far;

  /** What is measured. */
  enum Way {
    KRYO,
    UKA,
    PUT,
    GET,
    SECOND_GET,
    /** The second reader's objects alone: from bytes that it has in memory. */
    SECOND_OBJECTS,
    /** Of the owner, while the second reader gets its copy. */
    OWNER_AT_SECOND,
    /** To another host, both ends. */
    FETCH,
    /** The objects of what was fetched. */
    MAKE,
    /** From another host by one request of messaging, both ends. */
    REQUEST,
    /** The whole of table 3: ranks that are put and read. */
    RANK,
    RANKS_READ
  }

  /**
   * What something takes, in nanoseconds.
   *
   * @param cpu processor time of the processes that take part
   */
  record Cost(long cpu, long elapsed) {}

  ExchangeNodes(String... options) throws IOException {
    owner = CommandedJvm.start(ExchangeNode.class, options);
    first = CommandedJvm.start(ExchangeNode.class, options);
    second = CommandedJvm.start(ExchangeNode.class, options);
    List<String> there = new ArrayList<>(List.of(options));
    there.add("-Dkarmi.exchange.dir=" + otherHost);
    there.add("-Dkarmi.technologies=tcp"); // no memory is shared with another host
    far = CommandedJvm.start(ExchangeNode.class, there.toArray(new String[0]));
    int port = FreePort.next();
    owner.ask("serve " + port);
    for (CommandedJvm each : all()) {
      each.ask("join //localhost:" + port + "/exchange");
    }
    String listening = owner.ask("listen").text();
    owner.tell("accept");
    first.ask("connect " + listening);
    owner.answer();
  }

  private List<CommandedJvm> all() {
    return List.of(owner, first, second, far);
  }

  /** Gives fresh values to the readers by each way; returns the bytes of the group. */
  long share(ExchangePayload payload, BiConsumer<Way, Cost> to) throws IOException {
    for (Way way : List.of(Way.KRYO, Way.UKA)) {
      long begin = System.nanoTime();
      first.tell("receive " + way);
      long sent = owner.ask("send " + payload + ' ' + way).nanos();
      long received = first.answer().nanos();
      to.accept(way, new Cost(sent + received, System.nanoTime() - begin));
    }
    String[] put = ask(owner, "put " + payload, Way.PUT, to).split(" ");
    ask(first, "get " + put[0], Way.GET, to);
    long before = owner.cpuNanos();
    ask(second, "get " + put[0], Way.SECOND_GET, to);
    to.accept(Way.OWNER_AT_SECOND, new Cost(owner.cpuNanos() - before, 0));
    ask(second, "again", Way.SECOND_OBJECTS, to);
    fetch(put[0], to);
    owner.ask("offer " + payload);
    withOwner("request", Way.REQUEST, to);
    free();
    return Long.parseLong(put[1]);
  }

  private void fetch(String group, BiConsumer<Way, Cost> to) throws IOException {
    withOwner("fetch " + group, Way.FETCH, to);
    ask(far, "make", Way.MAKE, to);
  }

  /** Has the other host execute a command in which the owner takes part. */
  private void withOwner(String command, Way way, BiConsumer<Way, Cost> to) throws IOException {
    long before = owner.cpuNanos();
    long begin = System.nanoTime();
    long there = far.ask(command).nanos();
    long elapsed = System.nanoTime() - begin;
    to.accept(way, new Cost(there + owner.cpuNanos() - before, elapsed));
  }

  /** Puts a fresh value, which another host fetches. */
  void fetch(ExchangePayload payload, BiConsumer<Way, Cost> to) throws IOException {
    fetch(owner.ask("put " + payload).text().split(" ")[0], to);
    free();
  }

  /** Has the readers hold the URLs that the owner puts. */
  void putUrls() throws IOException {
    String urls = owner.ask("put URLS").text().split(" ")[0];
    for (CommandedJvm each : List.of(first, second)) {
      each.ask("hold " + urls);
    }
  }

  /** The first reader puts ranks of the URLs, and the second one reads them; returns the bytes. */
  long rank(BiConsumer<Way, Cost> to) throws IOException {
    String[] ranks = ask(first, "rank", Way.RANK, to).split(" ");
    ask(second, "read " + ranks[0], Way.RANKS_READ, to);
    free();
    return Long.parseLong(ranks[1]);
  }

  private void free() throws IOException {
    for (CommandedJvm each : all()) {
      each.ask("free");
    }
  }

  private static String ask(CommandedJvm node, String command, Way way, BiConsumer<Way, Cost> to)
      throws IOException {
    long begin = System.nanoTime();
    CommandedJvm.Answer answer = node.ask(command);
    to.accept(way, new Cost(answer.nanos(), System.nanoTime() - begin));
    return answer.text();
  }

  /** How often the directory was called so far. */
  long directoryCalls() throws IOException {
    long calls = 0;
    for (CommandedJvm each : all()) {
      calls += Long.parseLong(each.ask("calls").text());
    }
    return calls;
  }

  @Override
  public void close() throws IOException {
    try {
      CommandedJvm.closeAll(List.of(first, second, far, owner));
    } finally {
      Files.deleteIfExists(otherHost);
      Unfinished.remove(otherHost);
    }
  }
}
