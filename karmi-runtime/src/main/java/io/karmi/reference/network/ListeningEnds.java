package io.karmi.reference.network;

import io.karmi.id.ObjectId;
import io.karmi.id.TechnologyId;
import io.karmi.technology.Addressable;
import io.karmi.technology.Technology;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Listening ends of exported objects: one in each technology of the node. Objects share an end,
 * which lasts until the last of them has released it. Thread-safe.
 */
public final class ListeningEnds {
  private static final System.Logger LOG = System.getLogger(ListeningEnds.class.getName());

  private final Technologies technologies;

  /**
   * The ends of a node.
   *
   * @param technologies those it has; some may be added later
   */
  public ListeningEnds(Technologies technologies) {
    this.technologies = technologies;
  }

  /**
   * Listens in all technologies that have ports, or in none, and in those of the others that can.
   * Calls wait for {@link #begin}, which must follow.
   *
   * @param port for technologies that have ports; 0 for any
   * @throws IOException if one that has ports cannot listen there
   */
  public TechnologyId[] listen(int port) throws IOException {
    technologies.checkStarted();
    TechnologyId[] ends = new TechnologyId[technologies.count()];
    int count = 0;
    boolean all = false;
    try {
      for (Technology technology : technologies) {
        TechnologyId end = count == ends.length ? null : listen(technology, port);
        if (end != null) {
          ends[count++] = end;
        }
      }
      TechnologyId[] exact = Arrays.copyOf(ends, count);
      all = true;
      return exact;
    } finally {
      if (!all) {
        giveBack(ends, count);
      }
    }
  }

  /** Ends what was begun, after any failure, an {@link OutOfMemoryError} included. */
  private void giveBack(TechnologyId[] ends, int count) {
    for (int i = 0; i < count; i++) {
      release(ends[i]);
      begin(ends[i]);
    }
  }

  /** Null if the technology cannot listen, and others can be used in its place. */
  private @Nullable TechnologyId listen(Technology technology, int port) throws IOException {
    try {
      return technology.listenFromBegin(port);
    } catch (IOException e) {
      if (technologies.count() == 1 || technology instanceof Addressable) {
        throw e;
      }
      LOG.log(System.Logger.Level.DEBUG, technology.name() + " does not listen", e);
      return null;
    }
  }

  /** Lets calls in: the export is made, or has failed. */
  public void begin(TechnologyId... ends) {
    forEach(ends, Technology::begin);
  }

  /** Ends the use of these ends by an object. */
  public void release(TechnologyId... ends) {
    forEach(ends, Technology::release);
  }

  private void forEach(TechnologyId[] ends, BiConsumer<Technology, TechnologyId> action) {
    for (TechnologyId end : ends) {
      for (Technology technology : technologies) {
        if (technology.name().equals(end.technology())) {
          action.accept(technology, end);
        }
      }
    }
  }

  /** The ends at which an object is called. */
  public TechnologyId[] of(ObjectId object) {
    TechnologyId[] all = new TechnologyId[object.technologyCount()];
    for (int i = 0; i < all.length; i++) {
      all[i] = end(object.technology(i));
    }
    return all;
  }

  /** The end at which an object is called first, or null. */
  public @Nullable TechnologyId first(ObjectId object) {
    return object.technologyCount() == 0 ? null : end(object.technology(0));
  }

  /** The end that goes by a name: see {@link Technology#end}. */
  public TechnologyId end(TechnologyId name) {
    for (Technology technology : technologies) {
      if (technology.name().equals(name.technology())) {
        return technology.end(name);
      }
    }
    return name;
  }

  /** Those of an object's ends that are found by host and port. */
  public List<TechnologyId> addressable(ObjectId object) {
    List<TechnologyId> found = new ArrayList<>();
    for (Technology technology : technologies) {
      TechnologyId end = object.technology(technology.name());
      if (end != null && technology instanceof Addressable) {
        found.add(end);
      }
    }
    return found;
  }

  /** The TCP port at which an object is called; −1 if there is none. */
  public int port(ObjectId object) {
    for (Technology technology : technologies) {
      TechnologyId end = object.technology(technology.name());
      int port =
          end != null && technology instanceof Addressable
              ? ((Addressable) technology).port(end)
              : -1;
      if (port >= 0) {
        return port;
      }
    }
    return -1;
  }
}
