package io.karmi.reference;

import io.karmi.dgc.ExportedObjects;
import io.karmi.technology.RuntimeThreads;
import java.rmi.Remote;
import java.rmi.server.Unreferenced;
import org.jspecify.annotations.Nullable;

/**
 * Keeps exported objects, and through them the JVM, alive; and forgets those that were collected.
 *
 * <p>Its thread is no daemon, so the JVM lives while something is exported; it ends with the last
 * export. Permanent objects (registries) do not count. Thread-safe.
 */
final class Keeper {
  private static final System.Logger LOG = System.getLogger(Keeper.class.getName());
  private static final long ROUND_MILLIS = 1000;

  private final Node node;
  private final ExportTable exports;
  private int collectors;
  private int kept;
  private @Nullable Thread thread;

  Keeper(Node node, ExportTable exports) {
    this.node = node;
    this.exports = exports;
  }

  synchronized void exported(ServerRef ref) {
    if (!ref.isPermanent() && kept++ == 0) {
      thread = RuntimeThreads.start("KaRMI Keeper", this::watch, false);
    }
  }

  synchronized void unexported(ServerRef ref) {
    if (!ref.isPermanent() && --kept == 0) {
      stop();
    }
  }

  private void stop() {
    if (thread != null) {
      Privileged.interrupt(thread);
      thread = null;
    }
  }

  synchronized void close() {
    stop();
  }

  /** Waits for collected objects until the last export is gone. */
  private void watch() {
    try {
      while (isCurrent()) {
        ServerRef gone = exports.nextCollected(ROUND_MILLIS);
        if (gone != null) {
          gone.unexport(true, node.stock());
          node.drop(gone);
        }
      }
    } catch (InterruptedException e) {
      // the last export is gone; a new one starts a new thread
    }
  }

  private synchronized boolean isCurrent() {
    return thread == Thread.currentThread();
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
      if (ref.letGo(collector) && object instanceof Unreferenced) {
        RuntimeThreads.start("KaRMI Unreferenced", () -> tell((Unreferenced) object, ref), true);
      }
    }
  }

  private static void tell(Unreferenced object, ServerRef ref) {
    Thread.currentThread().setContextClassLoader(ref.contextLoader());
    try {
      object.unreferenced();
    } catch (RuntimeException | Error e) {
      LOG.log(System.Logger.Level.WARNING, "unreferenced() of object " + ref.id() + " failed", e);
    }
  }
}
