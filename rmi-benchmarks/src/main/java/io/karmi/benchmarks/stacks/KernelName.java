package io.karmi.benchmarks.stacks;

import io.karmi.benchmarks.payloads.Payload;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The name of a kernel, and what it says: {@code obj ping(obj)} is {@code ping(tree(15))}, with
 * sixteen threads {@code ping() x16}, {@code star(null) from 4} has four clients, and {@code sor on
 * 2} two workers.
 *
 * @param text the whole name
 */
public record KernelName(String text) {
  private static final Pattern CLIENTS = Pattern.compile(".* from ([1-9]\\d?)");
  private static final Pattern WORKERS = Pattern.compile("\\w+ on ([1-9]\\d?)");
  private static final Pattern THREADS = Pattern.compile("(.*) x([1-9]\\d{0,2})");
  private static final Pattern ARRAY = Pattern.compile("ping\\((byte|int|float)\\[(\\d+)]\\)");
  private static final Pattern PING = Pattern.compile("(?:sporadic )?(?:void )?ping\\((.*)\\)");
  private static final Set<String> ARGUMENTS_OF_THE_PAPER =
      Arrays.stream(Payload.values()).map(Payload::title).collect(Collectors.toSet());
  private static final Pattern KNOWN =
      Pattern.compile(
          "(?:fresh |sporadic )?(?:void )?(?:ping|pingpong|star)\\(.*\\)(?: x\\d+| from \\d+)?"
              + "|(?:hamming|paraffins|sor)(?: on \\d+)?");

  /** The kinds of kernels, for messages. */
  public static final String KINDS =
      "ping(ARGUMENT), void ping(ARGUMENT), pingpong(ARGUMENT), star(ARGUMENT) from N, sporadic and"
          + " fresh ones, hamming, paraffins and sor on N";

  private static final Set<String> NUMBERS = Set.of("", "int, int", "int, int, float, float");

  /** Whether there is a kernel of that kind; what it carries shows only when it runs. */
  public boolean isOfTheCollection() {
    return KNOWN.matcher(text).matches();
  }

  /** JVMs of servers that it needs. */
  public int servers() {
    return number(WORKERS, 1, 1);
  }

  /** JVMs of clients that it needs. */
  public int clients() {
    return number(CLIENTS, 1, 1);
  }

  /** The type of the array that {@code obj ping(obj)} carries, or an empty string. */
  public String arrayType() {
    Matcher name = ARRAY.matcher(text);
    return name.matches() ? name.group(1) : "";
  }

  /** The length of that array, or 0. */
  public int arrayLength() {
    return number(ARRAY, 2, 0);
  }

  private int number(Pattern pattern, int group, int otherwise) {
    Matcher name = pattern.matcher(text);
    return name.matches() ? Integer.parseInt(name.group(group)) : otherwise;
  }

  /** Does it tell connections by the operating system's list of them? */
  boolean needsTcp() {
    return text.startsWith("fresh ");
  }

  /** Options of the client's JVM, beside those of the stack. */
  List<String> jvmOptions() {
    return needsTcp() ? List.of("-Dsun.rmi.transport.connectionTimeout=20") : List.of();
  }

  /** {@code ping} of any kind, from one client, with the paper's arguments. */
  boolean isPingOfThePaper() {
    Matcher threads = THREADS.matcher(text);
    Matcher ping = PING.matcher(threads.matches() ? threads.group(1) : text);
    return ping.matches()
        && (NUMBERS.contains(ping.group(1)) || ARGUMENTS_OF_THE_PAPER.contains(ping.group(1)));
  }

  /** {@code ping} without pauses. */
  boolean isPlainPing() {
    return text.startsWith("ping(") || text.startsWith("void ping(");
  }

  @Override
  public String toString() {
    return text;
  }
}
