package io.karmi.uka.engine.read;

import io.karmi.uka.format.FormatReader;

/**
 * How objects of one type are read, as the type keeps it: it is found once, each object needs it,
 * and it is of no use when the type is bound to another class. {@link Unmarshaler} is the only one.
 */
public abstract class ReadPlan {
  /** Only {@link Unmarshaler} is one. */
  ReadPlan() {}

  /** As {@code Marshaler.runWidth}, if objects are read together; else it is not known. */
  public int runWidth() {
    return FormatReader.Types.NOT_KNOWN;
  }
}
