package io.karmi.reference.network;

import io.karmi.id.ObjectId;
import io.karmi.id.TechnologyId;
import io.karmi.technology.Addressable;
import io.karmi.technology.ApplicationCalls;
import io.karmi.technology.Technology;
import java.net.InetSocketAddress;
import java.rmi.ConnectException;
import java.rmi.server.ExportException;
import java.rmi.server.RMISocketFactory;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * The technologies of a node, the one with the highest rank first, and the choice among them (paper
 * 4.3). Thread-safe.
 */
public final class Technologies implements Iterable<Technology> {
  private final List<Technology> all = new CopyOnWriteArrayList<>();

  /** Why there is none; null for no special reason. */
  private volatile @Nullable String refusal;

  /** Says why the node has none, and listens and calls nowhere. */
  public void refuse(String reason) {
    refusal = reason;
  }

  public boolean haveStarted() {
    return refusal == null;
  }

  /**
   * Checks that nothing was {@linkplain #refuse refused}.
   *
   * @throws ExportException that tells the reason
   */
  public void checkStarted() throws ExportException {
    String reason = refusal;
    if (reason != null) {
      throw new ExportException(reason);
    }
  }

  /** Why technologies that were wanted are not there, by name. */
  private final Map<String, String> missing = new ConcurrentSkipListMap<>();

  /** Adds one, behind those of the same rank. */
  public synchronized void add(Technology technology) {
    int at = 0;
    while (at < all.size() && all.get(at).rank() >= technology.rank()) {
      at++;
    }
    all.add(at, technology);
  }

  /** Notes why one that is wanted is not there. */
  public void isMissing(String name, String reason) {
    missing.put(name, reason);
  }

  /** Why technologies that were wanted are not there, by name. */
  public Map<String, String> missing() {
    return missing;
  }

  /** Those that are there now. */
  public List<Technology> list() {
    return List.copyOf(all);
  }

  @Override
  public Iterator<Technology> iterator() {
    return all.iterator();
  }

  public int count() {
    return all.size();
  }

  /** The best technology that reaches an object, even if it is of this very node; or null. */
  public @Nullable Technology best(ObjectId target) {
    return bestOf(all, target);
  }

  /** The best one after another, which has failed to open a way to the object's node; or null. */
  public @Nullable Technology nextBest(ApplicationCalls failed, ObjectId target) {
    List<Technology> now = list();
    return bestOf(now.subList(now.indexOf(failed) + 1, now.size()), target);
  }

  private static @Nullable Technology bestOf(List<Technology> technologies, ObjectId target) {
    for (Technology technology : technologies) {
      TechnologyId way = target.technology(technology.name());
      if (way != null && technology.reaches(way)) {
        return technology;
      }
    }
    return null;
  }

  /**
   * The best technology that reaches an object of another node.
   *
   * @throws ConnectException if there is none
   */
  public Technology require(ObjectId target) throws ConnectException {
    Technology best = best(target);
    if (best != null) {
      return best;
    }
    String reason = refusal;
    if (reason != null) {
      throw new ConnectException(reason);
    }
    List<String> own = names();
    if (target.technologyCount() == 0) {
      throw new ConnectException(
          "none of the technologies of this node, "
              + own
              + ", finds others by host and port: add tcp (karmi.technologies)");
    }
    throw new ConnectException(
        "no common technology for object "
            + target
            + ": this node has "
            + own
            + "; add one, or a bridge");
  }

  public List<String> names() {
    List<String> names = new ArrayList<>();
    for (Technology technology : all) {
      names.add(technology.name());
    }
    return names;
  }

  /** The ways to whatever listens at a host and port; nothing is contacted. */
  public TechnologyId[] locate(String host, int port) {
    List<TechnologyId> ways = new ArrayList<>();
    for (Technology technology : all) {
      if (technology instanceof Addressable) {
        ways.add(((Addressable) technology).locate(host, port));
      }
    }
    return ways.toArray(new TechnologyId[0]);
  }

  /** The first host and port at which an object is called; null if it has none. */
  public @Nullable InetSocketAddress address(ObjectId object) {
    for (Technology technology : all) {
      TechnologyId way = object.technology(technology.name());
      InetSocketAddress address =
          way != null && technology instanceof Addressable
              ? ((Addressable) technology).address(way)
              : null;
      if (address != null) {
        return address;
      }
    }
    return null;
  }

  /** Sockets as secure as these technologies; null if these secure nothing. */
  public @Nullable RMISocketFactory securedSockets() {
    for (Technology technology : all) {
      RMISocketFactory sockets =
          technology instanceof Addressable ? ((Addressable) technology).securedSockets() : null;
      if (sockets != null) {
        return sockets;
      }
    }
    return null;
  }
}
