package io.karmi.dgc;

/** The objects of a node, as its collector sees them; the reference layer implements it. */
public interface ExportedObjects {
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
