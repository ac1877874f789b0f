package io.karmi.engines;

import java.util.Arrays;
import java.util.stream.Stream;

/** Kinds of a {@link ScalaValue}, and their names in the results; needs no class of Scala's. */
enum ScalaKind {
  VECTOR("Vector"),
  LIST("List"),
  SET("Set"),
  MAP("Map"),
  TUPLE("tuple"),
  OPTION("Option"),
  CASE_CLASS("case class"),
  STRINGS("Vector of strings");

  final String title;

  ScalaKind(String title) {
    this.title = title;
  }

  /** What is measured of all. */
  static Stream<String> kernels() {
    return Arrays.stream(values()).flatMap(each -> Stream.of(each.writing(), each.reading()));
  }

  String writing() {
    return title + ": write";
  }

  String reading() {
    return title + ": read";
  }
}
