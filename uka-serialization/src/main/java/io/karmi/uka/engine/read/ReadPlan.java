package io.karmi.uka.engine.read;

import io.karmi.uka.format.FormatReader;

/**
 * Plan by which objects of one type are read, kept with the type until that is bound to another
 * class. {@link Unmarshaler} is the only implementation.
 */
public abstract class ReadPlan {
  /** Only {@link Unmarshaler} is one. */
  ReadPlan() {}

  /** As {@code Marshaler.runWidth}, if objects are read in packed runs; else not known. */
  public int runWidth() {
    return FormatReader.Types.NOT_KNOWN;
  }
}
