package io.karmi.uds;

/** The name of this technology and its logger. */
final class Uds {
  static final String NAME = "uds";
  static final System.Logger LOG = System.getLogger("io.karmi.uds");

  private Uds() {}
}
