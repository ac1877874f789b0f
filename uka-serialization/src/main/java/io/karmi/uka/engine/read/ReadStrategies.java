package io.karmi.uka.engine.read;

import java.io.IOException;
import java.io.InvalidClassException;

/** Choice of how objects are read, made above the engine, which knows no class of the platform. */
public interface ReadStrategies {
  /** How objects of a type of a stream are read. */
  Unmarshaler unmarshaler(ReadType type) throws InvalidClassException;

  /**
   * Skips a value that has no field here, if no objects need to be made. Its type has been read.
   *
   * @return false if nothing has been read
   */
  boolean skip(ReadContext in, ReadType type) throws IOException;

  /**
   * Skips the data of an object that may be in short form.
   *
   * @param form name of the class that has the short form
   * @return false if the data is now in the general form and still to be skipped
   */
  boolean skipShortForm(ReadContext in, String form) throws IOException;
}
