package io.karmi.stock;

import io.karmi.guard.Ledger;
import io.karmi.guard.Ledgers;
import io.karmi.guard.PeerLog;
import io.karmi.reference.Privileged;
import io.karmi.settings.Settings;
import java.rmi.ConnectException;
import java.rmi.RemoteException;
import java.rmi.dgc.Lease;
import java.rmi.dgc.VMID;
import java.rmi.server.ObjID;
import java.rmi.server.RemoteServer;
import java.rmi.server.ServerNotActiveException;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Account of the leases that the JDK's collector gives holders on stock RMI. It keeps a holder for
 * each id that a peer has drawn, until the lease ends.
 *
 * <p>A lease is charged to a {@link Ledger} from its first message on: the holder, and each object
 * that it holds. The first lease of an object that the program has exported takes no room: there
 * are no more of these than objects. What is charged is given back when the holder says that it
 * holds an object no more, or, once others need the room, when it has not renewed its lease for
 * twice the time. Thread-safe.
 */
public final class StockLeases {
  private static final System.Logger LOG = System.getLogger(StockLeases.class.getName());

  /** About what a holder takes in the JDK's tables and here, in bytes. */
  private static final int HOLDER_BYTES = 768;

  /** About what each object that it holds takes. */
  private static final int OBJECT_BYTES = 256;

  /** Longest text of a holder's id; those of the JDK have some 50 characters. */
  private static final int LONGEST_ID = 256;

  private static final long LONGEST_MILLIS = 365L * 24 * 60 * 60 * 1000;

  private final Ledger ledger;
  private final long keptNanos;
  private final LongSupplier clock;
  private final Map<VMID, Holder> holders = new HashMap<>();

  /** Who has the first lease of an object. */
  private final Map<ObjID, Holder> first = new HashMap<>();

  /** No lease ends before that; without a meaning while there is no holder. */
  private long nextEndNanos;

  private static final class Holder {
    final @Nullable Object host;

    /** Bytes that are charged for each object that it holds. */
    final Map<ObjID, Integer> objects = new HashMap<>();

    long heardNanos;

    Holder(@Nullable Object host) {
      this.host = host;
    }
  }

  /**
   * No leases.
   *
   * @param ledger counts bytes
   * @param leaseMillis how long a lease lasts
   */
  public StockLeases(Ledger ledger, long leaseMillis) {
    this(ledger, leaseMillis, System::nanoTime);
  }

  /** Those of this JVM. */
  public static StockLeases ofJvm() {
    return OfJvm.LEASES;
  }

  private static final class OfJvm {
    static final StockLeases LEASES =
        new StockLeases(
            Ledgers.leases(),
            Privileged.get(() -> Math.max(0, Math.min(LONGEST_MILLIS, Settings.LEASE.get()))));

    private OfJvm() {}
  }

  /** The same with a clock of nanoseconds. */
  StockLeases(Ledger ledger, long leaseMillis, LongSupplier clock) {
    this.ledger = ledger;
    keptNanos = 2 * leaseMillis * 1_000_000;
    this.clock = clock;
    ledger.tidyBeforeRefusing(this::forgetEnded);
  }

  /**
   * Charges a lease that is asked for.
   *
   * @param exported whether a number is that of an object which the program has exported
   * @return the lease, with an id of a holder
   * @throws RemoteException if there is no room for it
   */
  public Lease ask(ObjID[] ids, Lease lease, Predicate<ObjID> exported) throws RemoteException {
    Object host = host();
    try {
      return charge(ids, lease, exported, host);
    } catch (ConnectException e) {
      /* The JDK's collector at the other end keeps the exception to itself. */
      PeerLog.warn(LOG, host == null ? this : host, String.valueOf(e.getMessage()), null);
      throw e;
    }
  }

  private synchronized Lease charge(
      ObjID[] ids, Lease lease, Predicate<ObjID> exported, @Nullable Object host)
      throws ConnectException {
    VMID id = lease.getVMID();
    if (id == null) {
      id = new VMID();
    }
    if (id.toString().length() > LONGEST_ID) {
      throw new ConnectException("a holder whose id has more than " + LONGEST_ID + " characters");
    }
    Holder holder = holders.get(id);
    if (holder == null) {
      holder = new Holder(host);
      take(holder, HOLDER_BYTES);
      if (holders.isEmpty()) {
        nextEndNanos = clock.getAsLong() + keptNanos;
      }
      holders.put(id, holder);
    }
    holder.heardNanos = clock.getAsLong();
    for (ObjID each : ids) {
      if (!holder.objects.containsKey(each)) {
        hold(holder, each, exported.test(each));
      }
    }
    return new Lease(id, lease.getValue());
  }

  private void hold(Holder holder, ObjID object, boolean exported) throws ConnectException {
    if (exported && first.putIfAbsent(object, holder) == null) {
      holder.objects.put(object, 0);
    } else {
      take(holder, OBJECT_BYTES);
      holder.objects.put(object, OBJECT_BYTES);
    }
  }

  /** Forgets the first lease of an object that is exported no more. */
  synchronized void ended(ObjID object) {
    Holder holder = first.remove(object);
    if (holder != null) {
      holder.objects.remove(object);
    }
  }

  /** Gives back what a holder says it holds no more. */
  public synchronized void release(ObjID[] ids, @Nullable VMID id) {
    Holder holder = id == null ? null : holders.get(id);
    if (holder == null) {
      return;
    }
    for (ObjID each : ids) {
      Integer bytes = holder.objects.remove(each);
      if (bytes != null) {
        ledger.giveBack(holder.host, bytes);
        first.remove(each, holder);
      }
    }
  }

  private void take(Holder holder, int bytes) throws ConnectException {
    if (ledger.take(holder.host, bytes) != Ledger.Outcome.TAKEN) {
      throw refused(holder.host);
    }
  }

  private ConnectException refused(@Nullable Object host) {
    return new ConnectException(
        "no lease of stock RMI for "
            + (host == null ? "this JVM" : host)
            + ", which may lose the objects that it asks for: leases take "
            + ledger.taken()
            + " of "
            + ledger.most()
            + " bytes, a sixteenth of the heap; a larger heap has room for more");
  }

  /** Gives back the leases that have ended; looks at all of them only where there may be one. */
  private synchronized void forgetEnded() {
    long now = clock.getAsLong();
    if (holders.isEmpty() || now - nextEndNanos <= 0) {
      return;
    }
    nextEndNanos = now + keptNanos;
    for (Iterator<Holder> all = holders.values().iterator(); all.hasNext(); ) {
      Holder each = all.next();
      long endNanos = each.heardNanos + keptNanos;
      if (now - endNanos > 0) {
        all.remove();
        giveBack(each);
      } else if (endNanos - nextEndNanos < 0) {
        nextEndNanos = endNanos;
      }
    }
  }

  private void giveBack(Holder ended) {
    long bytes = HOLDER_BYTES;
    for (Map.Entry<ObjID, Integer> held : ended.objects.entrySet()) {
      bytes += held.getValue();
      first.remove(held.getKey(), ended);
    }
    ledger.giveBack(ended.host, bytes);
  }

  private static @Nullable Object host() {
    try {
      return RemoteServer.getClientHost();
    } catch (ServerNotActiveException e) {
      return null; // this JVM itself
    }
  }
}
