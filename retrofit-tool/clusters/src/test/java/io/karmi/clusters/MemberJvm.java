package io.karmi.clusters;

import io.karmi.kit.Jvm;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A member of a cluster in a JVM of its own, which is killed when it is closed. */
final class MemberJvm implements AutoCloseable {
  private static final long DEADLINE_SECONDS = 120;

  /** In front of what a member answers; all else that it prints is its product's log. */
  private static final String ANSWER = "= ";

  private final Jvm jvm;
  private final String name;

  /** For the files of the member, which is killed and deletes nothing itself. */
  private final Path folder;

  private MemberJvm(Jvm jvm, String name, Path folder) {
    this.jvm = jvm;
    this.name = name;
    this.folder = folder;
  }

  /** Starts a member and waits until it is ready. */
  static MemberJvm start(List<String> options, String kind, int own, int other) throws Exception {
    List<String> arguments = new ArrayList<>(options);
    arguments.add("-XX:TieredStopAtLevel=1"); // over before the second compiler pays
    arguments.add("-Xmx256m");
    arguments.add("-Djava.net.preferIPv4Stack=true");
    Path folder = Files.createTempDirectory(Path.of("target").toAbsolutePath(), "member");
    arguments.add("-Djava.io.tmpdir=" + folder);
    arguments.add("members.Member");
    arguments.add(kind);
    arguments.add(Integer.toString(own));
    arguments.add(Integer.toString(other));
    Jvm jvm = Jvm.start(arguments.toArray(String[]::new));
    jvm.awaitLine(ANSWER);
    return new MemberJvm(jvm, kind + " " + options, folder);
  }

  /** The rest of the first line that begins so. */
  String line(String beginning) throws InterruptedException {
    return jvm.awaitLinesWith(beginning, 1).get(0).substring(beginning.length());
  }

  /** Sends a command and returns the answer. */
  String ask(String command) throws Exception {
    return jvm.ask(command, ANSWER);
  }

  /** Lets it end by itself; returns all that it has printed. */
  String exit() throws Exception {
    jvm.tell("exit");
    return String.join("\n", jvm.everything());
  }

  /** Asks until the answer is what is expected, or the deadline has come; returns the last one. */
  String askUntil(String command, String expected) throws Exception {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(DEADLINE_SECONDS);
    String answer = ask(command);
    while (!answer.equals(expected) && System.nanoTime() < deadline) {
      Thread.sleep(50);
      answer = ask(command);
    }
    return answer;
  }

  /** Its kind, its options and the last that it has printed. */
  @Override
  public String toString() {
    List<String> output = jvm.lines();
    List<String> last = output.subList(Math.max(0, output.size() - 60), output.size());
    return name + ", which printed\n" + String.join("\n", last);
  }

  /** Kills it as nothing else can, and waits until it is gone. */
  @Override
  public void close() {
    try {
      jvm.kill();
      try (Stream<Path> files = Files.walk(folder)) {
        for (Path each : (Iterable<Path>) files.sorted(Comparator.reverseOrder())::iterator) {
          Files.delete(each);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
