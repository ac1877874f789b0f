package io.karmi.technology;

import java.io.IOException;

/**
 * Makes a technology; found by {@link java.util.ServiceLoader}.
 *
 * <p>A provider loads on every machine, and {@link #open} says in its exception why the technology
 * cannot be used here.
 */
public interface TechnologyProvider {
  /** Name of the technology, the first half of its UTIDs. */
  String name();

  /**
   * Opens the technology for a node. It does not listen yet.
   *
   * @throws IOException if this machine does not have it
   */
  Technology open(UpCall upCall) throws IOException;
}
