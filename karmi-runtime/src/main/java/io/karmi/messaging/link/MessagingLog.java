package io.karmi.messaging.link;

/** The logger of messaging. */
public final class MessagingLog {
  public static final System.Logger LOG = System.getLogger("io.karmi.messaging");

  private MessagingLog() {}
}
