package io.karmi.uka.platform;

import java.io.ObjectStreamException;

/**
 * A serializable class of KaRMI's own that is replaced when it is written. Its {@code writeReplace}
 * does the same for the JDK's streams.
 *
 * <p>UKA's streams call {@code writeReplace} by a method handle. The JDK assembles it at its first
 * use, which no cache of classes holds, and every JVM that exports an object waits for it.
 */
public interface ReplacesItself {
  /**
   * Format of the stream that asks. A type of KaRMI's, so that no remote method of a stub has this
   * signature.
   */
  enum Format {
    /** May be read without KaRMI. */
    OF_JDK,
    OF_UKA
  }

  /** The object that is written in its place. */
  Object replacement(Format format) throws ObjectStreamException;
}
