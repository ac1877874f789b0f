package io.karmi.uds;

/** Name and logger of this technology. */
final class Uds {
  static final String NAME = "uds";
  static final System.Logger LOG = System.getLogger("io.karmi.uds");

  private Uds() {}
}
