package io.karmi.reference;

import io.karmi.id.NodeId;
import io.karmi.id.ObjectId;
import io.karmi.marshal.RemoteTranslation;
import io.karmi.reference.network.Bridges;
import io.karmi.technology.ApplicationCalls;
import java.net.InetSocketAddress;
import java.rmi.ConnectException;
import java.rmi.Remote;
import org.jspecify.annotations.Nullable;

/**
 * The node in which a reference is used, as far as references need it. {@link Node} extends it, so
 * that references do not depend on the parts of a node.
 */
abstract class HomeNode {
  private static final String WIRING = "io.karmi.wiring.Wiring";

  /** {@link #ofJvm}, once it has been asked for. */
  private static volatile @Nullable HomeNode opened;

  /** How objects cross the border of a node that is known. */
  interface Border extends RemoteTranslation {
    /** The node. */
    HomeNode home();
  }

  /** Makes the node of this JVM: see {@link NodeFactory}. */
  interface Factory {
    /** Makes the node; called once. */
    HomeNode open();
  }

  /** The node of this JVM, which is wired by the runtime's root when it is first asked for. */
  static HomeNode ofJvm() {
    return OfJvm.NODE;
  }

  /** The node of this JVM if it has been asked for, else null. */
  static @Nullable HomeNode ofJvmIfOpen() {
    return opened;
  }

  private static final class OfJvm {
    static final HomeNode NODE = Privileged.get(OfJvm::open);

    private static HomeNode open() {
      try {
        Class<?> wiring = Class.forName(WIRING, true, HomeNode.class.getClassLoader());
        HomeNode node = ((Factory) wiring.getConstructor().newInstance()).open();
        opened = node;
        return node;
      } catch (ReflectiveOperationException e) {
        throw new IllegalStateException("cannot wire KaRMI: " + WIRING + " is not usable", e);
      }
    }
  }

  /** Its name. */
  abstract NodeId id();

  /** How objects cross its border. */
  abstract RemoteTranslation translation();

  /** Stock RMI beside it. */
  abstract StockRuntime stock();

  /** The ways through third nodes. */
  abstract Bridges bridges();

  /** The observers of calls. */
  abstract NodeCallWatcher watching();

  /** What calls of an object go through. */
  abstract ApplicationCalls route(ObjectId target) throws ConnectException;

  /**
   * Tells the collectors that a reference to an object of this node is about to leave.
   *
   * @param receiver as for {@link io.karmi.dgc.Collector#leaving}
   * @return the credit that goes with it; null for none
   */
  abstract @Nullable Credit leaving(long number, Object receiver);

  /**
   * The object of this node with a number that is not well-known; null if there is none any more.
   */
  abstract @Nullable Remote object(long number);

  /** The first host and port at which an object of any node is called; null if it has none. */
  abstract @Nullable InetSocketAddress address(ObjectId object);

  /** Enables deadlines and forwarding of calls; cheap once they are enabled. */
  abstract void limitCalls();

  /**
   * Lets the JVM end without an object that is unexported, unless calls of it are still running.
   */
  abstract void callEnded(ServerRef ref);
}
