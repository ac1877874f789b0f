package io.karmi.messaging;

import java.io.IOException;

/** The link over which a message was being sent is lost. */
final class LinkLostException extends IOException {
  private static final long serialVersionUID = 1L;

  LinkLostException(Throwable cause) {
    super(cause.getMessage(), cause);
  }
}
