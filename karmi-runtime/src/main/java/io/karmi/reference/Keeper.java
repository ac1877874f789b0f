package io.karmi.reference;

import io.karmi.dgc.ExportedObjects;
import io.karmi.technology.ServiceThread;
import io.karmi.technology.Workers;
import java.rmi.Remote;
import java.rmi.server.Unreferenced;
import java.util.function.Consumer;

/**
 * Keeper of exported objects: keeps them, and through them the JVM, alive, and removes those that
 * were collected.
 *
 * <p>Its thread is no daemon, so the JVM lives while something is exported; it ends with the last
 * export. Permanent objects (registries) do not count. Thread-safe.
 */
final class Keeper {
  private static final System.Logger LOG = System.getLogger(Keeper.class.getName());
  private static final long ROUND_MILLIS = 1000;

  /**
   * Upper bound of the objects that are told at a time that they are unreferenced, which may take
   * long.
   */
  private static final int MOST_UNREFERENCED = 1000;

  private final ExportTable exports;
  private final Consumer<ServerRef> collected;
  private int collectors;
  private int kept;
  private final ServiceThread watch =
      new ServiceThread("KaRMI Keeper", false, this::awaitCollected, this::forgetCollected);
  private final Workers unreferenced = new Workers("KaRMI Unreferenced", MOST_UNREFERENCED);

  /**
   * A keeper of the objects in a table.
   *
   * @param collected takes the entry of an object that was collected
   */
  Keeper(ExportTable exports, Consumer<ServerRef> collected) {
    this.exports = exports;
    this.collected = collected;
  }

  synchronized void exported(ServerRef ref) {
    if (!ref.isPermanent() && kept++ == 0) {
      watch.ensureRunning();
    }
  }

  synchronized void unexported(ServerRef ref) {
    if (!ref.isPermanent() && --kept == 0) {
      watch.stop();
    }
  }

  synchronized void close() {
    watch.stop();
  }

  private void awaitCollected() throws InterruptedException {
    exports.awaitCollected(ROUND_MILLIS);
  }

  /** Never ends by itself: it is stopped when the last export is gone. */
  private boolean forgetCollected() {
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
