package io.karmi.messaging;

import io.karmi.id.NodeId;
import io.karmi.id.ObjectId;
import io.karmi.id.TechnologyId;
import io.karmi.marshal.RemoteTranslation;
import io.karmi.technology.PipeAcceptor;
import io.karmi.technology.Technology;
import java.io.IOException;
import java.rmi.Remote;
import java.util.List;

/**
 * What messaging asks of the node that it belongs to. The runtime's root implements it, as
 * messaging lies below the layer that knows the node. Thread-safe.
 */
public interface MessagingHost {
  /** The name of the node. */
  NodeId node();

  /** How remote objects and classes cross. */
  RemoteTranslation translation();

  /** The technologies of the node, the preferred one first. */
  List<Technology> technologies();

  /** Listens in all technologies, at any port. */
  TechnologyId[] listen() throws IOException;

  /** Gives all pipes that other nodes open to an acceptor from now on. */
  void accept(PipeAcceptor acceptor);

  /**
   * The number by which others call an object, and how.
   *
   * @throws IllegalArgumentException if it is neither a stub of KaRMI's nor exported
   */
  ObjectId objectId(Remote stub);

  /** Names the node at a TCP port. */
  ObjectId locate(String host, int port);

  /** Whether this node exports an object under a number that is not fixed for all nodes. */
  boolean isExported(long number);
}
