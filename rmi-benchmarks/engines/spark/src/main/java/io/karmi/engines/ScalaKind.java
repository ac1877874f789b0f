package io.karmi.engines;

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

  String writing() {
    return title + ": write";
  }

  String reading() {
    return title + ": read";
  }
}
