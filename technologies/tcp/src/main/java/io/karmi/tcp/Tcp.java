package io.karmi.tcp;

/** The name of this technology and its logger. */
final class Tcp {
  static final String NAME = "tcp";
  static final System.Logger LOG = System.getLogger("io.karmi.tcp");

  private Tcp() {}
}
