package io.karmi.dgc;

/**
 * Exported objects of a node, as one of its collectors sees them; the reference layer implements
 * it.
 *
 * <p>Collectors do not see each other: an object lives as long as any of them holds it.
 */
public interface ExportedObjects {
  /** True if there is such an object. */
  boolean isExported(long number);

  /**
   * Keeps an object alive: at least one node holds a reference to it.
   *
   * @return false if there is no such object
   */
  boolean hold(long number);

  /**
   * Lets an object go: no node holds a reference to it any more. If it is {@link
   * java.rmi.server.Unreferenced} it is told so.
   */
  void letGo(long number);
}
