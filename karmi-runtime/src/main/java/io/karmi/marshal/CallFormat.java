package io.karmi.marshal;

import io.karmi.uka.buffer.InputBuffer;
import io.karmi.uka.buffer.OutputBuffer;
import java.io.IOException;

/**
 * A way to put objects into the messages of a connection: UKA's stream, the JDK's, or another.
 *
 * <p>Two nodes agree on one format, by its name, when a connection opens. Implementations are
 * stateless and thread-safe; what they open belongs to one direction of one connection.
 */
public interface CallFormat {
  /** The name under which connections agree on it, such as {@code uka}. */
  String name();

  /** Opens the sending end of a direction of a connection. */
  ObjectMarshaler openMarshaler(CallOutput out, OutputBuffer buffer) throws IOException;

  /** Opens the receiving end of a direction of a connection. */
  ObjectUnmarshaler openUnmarshaler(CallInput in, InputBuffer buffer) throws IOException;
}
