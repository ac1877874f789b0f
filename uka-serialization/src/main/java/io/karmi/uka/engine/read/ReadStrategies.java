package io.karmi.uka.engine.read;

import java.io.IOException;
import java.io.InvalidClassException;

/**
 * The choice of how objects are read. It is made above the engine, which knows no class of the
 * platform.
 */
public interface ReadStrategies {
  /** How objects of a type of a stream are read. */
  Unmarshaler unmarshaler(ReadType type) throws InvalidClassException;

  /**
   * Passes over a value that has no field here, if there is a way to do so without making objects.
   * Its type has been read.
   *
   * @return false if nothing has been read
   */
  boolean skip(ReadContext in, ReadType type) throws IOException;

  /**
   * Passes over the data of an object that may be in short form.
   *
   * @param form name of the class that has it
   * @return false if the data is in the general form from here on
   */
  boolean skipShortForm(ReadContext in, String form) throws IOException;
}
