package io.karmi.exchange.zookeeper;

import java.io.IOException;

/** The session of this member has ended: it has no node, and holds nothing any more. */
final class MembershipLostException extends IOException {
  private static final long serialVersionUID = 1;

  MembershipLostException(String path) {
    super("the session of " + path + " has ended");
  }
}
