package io.karmi.reference;

import io.karmi.id.ObjectId;
import io.karmi.id.TechnologyId;
import io.karmi.technology.InCall;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.rmi.Remote;
import java.security.SecureRandom;
import java.util.Collection;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * The exported objects of a node, by number and by identity.
 *
 * <p>A number is 64 random bits, so that it cannot be guessed, and the number of an object that is
 * gone never finds another object. Its low bits are an index into an array: a number is drawn again
 * until its place is free, so that a call finds its object without a search. Well-known numbers
 * belong to an endpoint, so that each port can have a registry.
 *
 * <p>Objects are held weakly, and their own {@code hashCode} and {@code equals} are never called.
 * Thread-safe; reads take no lock.
 */
final class ExportTable {
  private final SecureRandom random = new SecureRandom();
  private final ReferenceQueue<Remote> collected = new ReferenceQueue<>();

  /** Taken from the queue of collected objects, and still in the table. */
  private volatile @Nullable Identity gone;

  private final Map<Identity, ServerRef> byObject = new ConcurrentHashMap<>();
  private final Map<WellKnown, ServerRef> wellKnown = new ConcurrentHashMap<>();

  /**
   * Its length is a power of two, and it is at most half full. It grows by replacement, under the
   * lock. Two numbers whose low bits differ still do so in a longer array.
   */
  private volatile AtomicReferenceArray<@Nullable Place> places = new AtomicReferenceArray<>(32);

  private int used;

  /** A number for the next object; {@link #add} or {@link #release} must follow. */
  synchronized long reserve() {
    if ((used + 1) * 2 > places.length()) {
      places = grown(places);
    }
    while (true) {
      long number = random.nextLong();
      int index = index(number, places);
      if (places.get(index) == null && !ObjectId.isWellKnown(number)) {
        places.set(index, new Place(number));
        used++; // last: memory may end before
        return number;
      }
    }
  }

  private static int index(long number, AtomicReferenceArray<@Nullable Place> of) {
    return (int) number & of.length() - 1;
  }

  private static AtomicReferenceArray<@Nullable Place> grown(
      AtomicReferenceArray<@Nullable Place> old) {
    AtomicReferenceArray<@Nullable Place> grown = new AtomicReferenceArray<>(old.length() * 2);
    for (int i = 0; i < old.length(); i++) {
      Place place = old.get(i);
      if (place != null) {
        grown.set(index(place.number, grown), place);
      }
    }
    return grown;
  }

  /** Gives a number back; does nothing if it has been given back. */
  synchronized void release(long number) {
    if (place(number) != null) {
      places.set(index(number, places), null);
      used--;
    }
  }

  /**
   * A weak reference to an object that is going to be exported; {@link #collected()} tells when it
   * is gone.
   */
  WeakReference<Remote> identify(Remote object) {
    return new Identity(object, collected);
  }

  /**
   * Enters an object under its number.
   *
   * @param ends where it is called, for a well-known number
   * @return false if the object is in the table already
   */
  boolean add(WeakReference<Remote> object, ServerRef ref, TechnologyId... ends) {
    if (byObject.putIfAbsent((Identity) object, ref) != null) {
      return false;
    }
    ObjectId id = ref.id();
    if (id.isWellKnown()) {
      for (TechnologyId end : ends) {
        wellKnown.put(new WellKnown(id.number(), end), ref);
      }
    } else {
      reserved(id.number()).object = ref;
    }
    return true;
  }

  /** Removes an object; false if it is not in the table. */
  boolean remove(ServerRef ref) {
    if (!byObject.remove(ref.identity(), ref)) {
      return false;
    }
    ObjectId id = ref.id();
    if (id.isWellKnown()) {
      wellKnown.values().removeIf(entry -> entry == ref);
    } else {
      reserved(id.number()).object = null; // also for who reads an array that was replaced
      release(id.number());
    }
    return true;
  }

  /** The object with that number, or null. */
  @Nullable ServerRef find(long number) {
    Place place = place(number);
    return place == null ? null : place.object;
  }

  private Place reserved(long number) {
    return Objects.requireNonNull(place(number), "number not reserved");
  }

  /** Lets the next call of the same object that comes by the same way find it at once. */
  void keepPlace(InCall call) {
    Place place = ObjectId.isWellKnown(call.objectNumber()) ? null : place(call.objectNumber());
    if (place != null) {
      call.keepFound(place);
    }
  }

  /** The object at a place that {@link #keepPlace} kept; null if it is no more, or for null. */
  static @Nullable ServerRef objectAt(@Nullable Object kept) {
    return kept instanceof Place ? ((Place) kept).object : null;
  }

  private @Nullable Place place(long number) {
    AtomicReferenceArray<@Nullable Place> all = places;
    Place place = all.get(index(number, all));
    return place != null && place.number == number ? place : null;
  }

  /** The object with a well-known number at an endpoint, or null. */
  @Nullable ServerRef findWellKnown(long number, @Nullable TechnologyId endpoint) {
    return endpoint == null ? null : wellKnown.get(new WellKnown(number, endpoint));
  }

  /** The entry of an object, or null if it is not exported. */
  @Nullable ServerRef find(Remote object) {
    return byObject.get(new Identity(object, null));
  }

  /** The entries of all objects. */
  Collection<ServerRef> all() {
    return byObject.values();
  }

  /** Waits for an exported object that was collected, for no longer than the given time. */
  void awaitCollected(long timeoutMillis) throws InterruptedException {
    if (gone == null) {
      gone = (Identity) (Object) collected.remove(timeoutMillis);
    }
  }

  /** The entry of an object that was collected, until {@link #forgetCollected}; or null. */
  @Nullable ServerRef collected() {
    Identity known = gone;
    return known == null ? null : byObject.get(known);
  }

  void forgetCollected() {
    gone = null;
  }

  /** The place of a number, from its reservation until its release. */
  private static final class Place {
    final long number;
    volatile @Nullable ServerRef object;

    Place(long number) {
      this.number = number;
    }
  }

  /** A key that compares objects by identity and does not keep them alive. */
  private static final class Identity extends WeakReference<Remote> {
    private final int hash;

    Identity(Remote object, @Nullable ReferenceQueue<Remote> queue) {
      super(object, queue);
      hash = System.identityHashCode(object);
    }

    @Override
    public int hashCode() {
      return hash;
    }

    @Override
    public boolean equals(@Nullable Object other) {
      if (this == other) {
        return true;
      }
      Remote object = get();
      return object != null && other instanceof Identity && ((Identity) other).get() == object;
    }
  }

  private static final class WellKnown {
    private final long number;
    private final TechnologyId endpoint;

    WellKnown(long number, TechnologyId endpoint) {
      this.number = number;
      this.endpoint = endpoint;
    }

    @Override
    public int hashCode() {
      return Long.hashCode(number) ^ endpoint.hashCode();
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof WellKnown
          && ((WellKnown) other).number == number
          && ((WellKnown) other).endpoint.equals(endpoint);
    }
  }
}
