package io.karmi.benchmarks.stacks;

import io.karmi.benchmarks.payloads.Payload;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/** The sets of kernels that can be asked for by one word. */
public final class Constellations {
  private static final List<String> NUMBERS =
      List.of("ping()", "ping(int, int)", "ping(int, int, float, float)");

  /** The rows of the paper's table 3, and large arrays. */
  public static final List<String> TABLE_3 =
      List.of(
          "ping()",
          "ping(int, int)",
          "ping(32 int)",
          "ping(4 int, 2 null)",
          "ping(tree(15))",
          "ping(float[50])",
          "ping(float[5000])",
          "ping(byte[20000])",
          "hamming");

  /** A few, to see that it works. */
  public static final List<String> SHORT =
      List.of("ping()", "ping(32 int)", "ping(float[5000])", "hamming");

  /** One or more of each kind: enough for every picture of the report. */
  public static final List<String> QUICK =
      List.of(
          "ping()",
          "ping(int, int)",
          "ping(int, int, float, float)",
          "ping(null)",
          "ping(byte[50])",
          "ping(byte[2000])",
          "ping(byte[20000])",
          "ping(int[50])",
          "ping(int[2000])",
          "ping(int[20000])",
          "ping(float[50])",
          "ping(float[2000])",
          "ping(float[5000])",
          "ping(float[20000])",
          "ping(4 int, 2 null)",
          "ping(32 int)",
          "ping(tree(15))",
          "void ping(32 int)",
          "void ping(tree(15))",
          "pingpong(null)",
          "pingpong(tree(15))",
          "void pingpong(32 int)",
          "sporadic ping()",
          "ping() x16",
          "hamming",
          "paraffins",
          "sor",
          "fresh ping()",
          "star(tree(15)) from 2",
          "hamming on 2",
          "paraffins on 2",
          "sor on 2");

  private static final List<String> OBJECTS =
      List.of("ping", "void ping", "pingpong", "void pingpong");
  private static final List<String> SITUATIONS =
      List.of(
          "sporadic ping()",
          "sporadic ping(tree(15))",
          "ping() x16",
          "ping(tree(15)) x16",
          "fresh ping()");
  private static final List<String> APPLICATIONS = List.of("hamming", "paraffins", "sor");

  /** Clients of the star with every payload. */
  private static final int STAR = 4;

  private static final int[] OTHER_STARS = {2, 8, 16};
  private static final int[] WORKERS = {2, 4, 8};

  private Constellations() {}

  /** Each kernel for each payload, and the applications: the paper's constellations and more. */
  public static List<String> all() {
    return Stream.of(
            NUMBERS.stream(),
            Arrays.stream(Payload.values()).flatMap(payload -> withPayload(payload.title())),
            SITUATIONS.stream(),
            Arrays.stream(OTHER_STARS)
                .boxed()
                .flatMap(n -> Stream.of("star(null) from " + n, "star(tree(15)) from " + n)),
            APPLICATIONS.stream(),
            Arrays.stream(WORKERS)
                .boxed()
                .flatMap(n -> APPLICATIONS.stream().map(name -> name + " on " + n)))
        .flatMap(names -> names)
        .toList();
  }

  /** Each kernel of the paper's section 6.1 for each payload, and the applications. */
  public static List<String> ofThePaper() {
    return Stream.of(
            NUMBERS.stream(),
            Arrays.stream(Payload.values()).flatMap(payload -> withPayload(payload.title())),
            APPLICATIONS.stream())
        .flatMap(names -> names)
        .toList();
  }

  /** Each kernel for each payload, without further stars and workers. */
  public static List<String> payloads() {
    return all().stream()
        .filter(name -> !name.contains(" on "))
        .filter(name -> !name.contains(" from ") || name.endsWith(" from " + STAR))
        .toList();
  }

  /** Each kernel for one payload. */
  public static Stream<String> withPayload(String title) {
    List<String> names = new ArrayList<>();
    OBJECTS.forEach(kernel -> names.add(kernel + "(" + title + ")"));
    names.add("star(" + title + ") from " + STAR);
    return names.stream();
  }
}
