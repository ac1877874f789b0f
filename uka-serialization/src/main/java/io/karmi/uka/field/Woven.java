package io.karmi.uka.field;

import java.io.IOException;

/**
 * A class that the retrofit tool has given marshalers (KaRMI paper, 3.7). Not to be implemented by
 * hand: {@code io.karmi.uka.UkaAware} is.
 *
 * <p>They keep the rule that {@code UkaAware} states, in another shape: that of the marshalers that
 * are generated at run time, so that they are as fast. The method below takes what works for the
 * stream, and so does the constructor
 *
 * <pre>{@code
 * T(FieldSource source, int handle) throws IOException
 * }</pre>
 *
 * <p>Its second argument is the handle that the object has or will have. The topmost class of the
 * hierarchy that has fields gives the object its handle before it reads references. Where it has
 * none, no class of the hierarchy has, and the caller does it afterwards.
 */
public interface Woven extends SelfMarshalling {
  /**
   * Writes what stands before an object's fields, and then its fields, those of superclasses first.
   *
   * @param opening the first {@code openingBytes} bytes, the lowest first
   * @throws IOException from the stream
   */
  void marshal(FieldSink sink, long opening, int openingBytes) throws IOException;
}
