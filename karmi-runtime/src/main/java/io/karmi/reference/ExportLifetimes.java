package io.karmi.reference;

import io.karmi.dgc.ExportedObjects;
import io.karmi.technology.ServiceThread;
import io.karmi.technology.Workers;
import java.rmi.Remote;
import java.rmi.server.Unreferenced;
import java.util.function.Consumer;

/**
 * Lifetimes of exported objects: what others hold stays, what was collected is removed, and the JVM
 * lives while something is exported.
 *
 * <p>The JVM lives by the thread that removes, which is no daemon and ends with the last export. It
 * has the name of the JDK's own: programs that want to end RMI interrupt the thread of that name.
 * Then a daemon removes in its place, until nothing is exported any more. Permanent objects
 * (registries) do not count. Thread-safe.
 */
final class ExportLifetimes {
  private static final System.Logger LOG = System.getLogger(ExportLifetimes.class.getName());
  private static final long ROUND_MILLIS = 1000;

  /**
   * Upper bound of the objects that are told at a time that they are unreferenced, which may take
   * long.
   */
  private static final int MAXIMUM_UNREFERENCED = 1000;

  private final ExportTable exports;
  private final Consumer<ServerRef> collected;
  private int collectors;
  private int kept;
  private final ServiceThread reaper =
      new ServiceThread("RMI Reaper", false, this::awaitCollected, this::reapUnlessInterrupted);
  private final ServiceThread daemon =
      new ServiceThread("KaRMI Reaper", true, this::awaitCollected, this::reap);

  /** No daemons, as stock RMI's: an object that is told may unexport itself, and then clean up. */
  private final Workers unreferenced =
      new Workers("KaRMI Unreferenced", MAXIMUM_UNREFERENCED, false);

  /**
   * @param collected takes the entry of an object that was collected
   */
  ExportLifetimes(ExportTable exports, Consumer<ServerRef> collected) {
    this.exports = exports;
    this.collected = collected;
  }

  synchronized void exported(ServerRef ref) {
    if (!ref.isPermanent() && kept++ == 0) {
      reaper.ensureRunning();
    }
  }

  synchronized void unexported(ServerRef ref) {
    if (!ref.isPermanent() && --kept == 0) {
      close();
    }
  }

  synchronized void close() {
    reaper.stop();
    daemon.stop();
  }

  private void awaitCollected() {
    try {
      exports.awaitCollected(ROUND_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // for the round that follows
    }
  }

  private boolean reapUnlessInterrupted() {
    reap();
    if (!Thread.interrupted()) {
      return true;
    }
    synchronized (this) {
      if (kept > 0) {
        daemon.ensureRunning();
      }
    }
    return false;
  }

  /** Never ends by itself: it is stopped when the last export is gone. */
  private boolean reap() {
    ServerRef gone = exports.collected();
    if (gone != null) {
      collected.accept(gone);
    }
    exports.forgetCollected();
    return true;
  }

  /** The objects as one more collector sees them. */
  synchronized ExportedObjects forCollector() {
    return new Held(1 << collectors++);
  }

  private final class Held implements ExportedObjects {
    private final int collector;

    Held(int collector) {
      this.collector = collector;
    }

    @Override
    public boolean isExported(long number) {
      return exports.find(number) != null;
    }

    @Override
    public boolean hold(long number) {
      ServerRef ref = exports.find(number);
      if (ref != null) {
        ref.hold(collector);
      }
      return ref != null;
    }

    @Override
    public void letGo(long number) {
      ServerRef ref = exports.find(number);
      if (ref == null) {
        return;
      }
      Remote object = ref.target();
      Workers.Task telling =
          object instanceof Unreferenced
              ? new Workers.Task(() -> tell((Unreferenced) object, ref))
              : null;
      if (ref.letGo(collector) && telling != null) {
        unreferenced.execute(telling); // needs no memory: it could not be repeated
      }
    }
  }

  private static void tell(Unreferenced object, ServerRef ref) {
    Thread.currentThread().setContextClassLoader(ref.contextLoader());
    try {
      object.unreferenced();
    } catch (Throwable e) {
      LOG.log(System.Logger.Level.WARNING, "unreferenced() of object " + ref.id() + " failed", e);
    }
  }
}
