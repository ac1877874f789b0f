package io.karmi.benchmarks.serialization;

import java.io.IOException;
import java.io.ObjectInputStream;

/** The code of a program that reads: a stream looks for classes where that comes from. */
public interface Receiver {
  /** Reads the next object of {@code in}. */
  Object receive(ObjectInputStream in) throws IOException, ClassNotFoundException;
}
