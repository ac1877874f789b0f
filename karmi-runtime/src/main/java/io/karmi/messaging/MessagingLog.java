package io.karmi.messaging;

/** The logger of messaging. */
final class MessagingLog {
  static final System.Logger LOG = System.getLogger("io.karmi.messaging");

  private MessagingLog() {}
}
