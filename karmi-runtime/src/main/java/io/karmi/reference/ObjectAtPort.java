package io.karmi.reference;

import java.io.IOException;
import java.rmi.Remote;

/** Makes an object once the port is known at which it will be called. */
@FunctionalInterface
public interface ObjectAtPort {
  /** The object for a TCP port, or for none if that is −1. */
  Remote make(int port) throws IOException;
}
