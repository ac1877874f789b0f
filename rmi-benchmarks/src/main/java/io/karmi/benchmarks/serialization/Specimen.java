package io.karmi.benchmarks.serialization;

/** A payload as one stack sees it: its classes may have been woven for that stack. */
public interface Specimen {
  /** A fresh object, equal to every other that this specimen makes. */
  Object create();

  /** Whether {@code result} is what {@link #create} makes; arrays by content. */
  boolean isEqualTo(Object result);
}
