package io.karmi.reference;

import io.karmi.dgc.Collector;
import io.karmi.dgc.CollectorProvider;
import io.karmi.dgc.ExportedObjects;
import io.karmi.id.ObjectId;
import io.karmi.reference.network.Technologies;
import io.karmi.technology.CallDeadline;
import io.karmi.technology.InCall;
import io.karmi.technology.Technology;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * The collectors of a node. All of them take messages, so that this node understands holders of
 * every strategy. For what the node itself holds, one is chosen per technology domain (paper 4.4).
 *
 * <p>Thread-safe; does nothing while it is empty.
 */
final class Collectors {
  /**
   * Time that a message waits until the owners of all references in it have been told, in
   * milliseconds. Those that were not are told by other threads.
   */
  private static final long TELLING_MILLIS = 3_000;

  private final HomeNode node;
  private final Technologies technologies;
  private final List<Entry> entries = new CopyOnWriteArrayList<>();
  private final Map<String, Collector> chosen = new ConcurrentHashMap<>();

  Collectors(HomeNode node, Technologies technologies) {
    this.node = node;
    this.technologies = technologies;
  }

  void add(CollectorProvider provider, ExportedObjects objects) {
    CollectorCalls calls = new CollectorCalls(node, provider.name());
    entries.add(new Entry(calls, provider.open(node.id(), calls, objects, new CollectorThreads())));
  }

  void choose(String technology, String strategy) {
    for (Entry entry : entries) {
      if (entry.collector.name().equals(strategy)) {
        chosen.put(technology, entry.collector);
        return;
      }
    }
    throw new IllegalArgumentException(
        "no strategy of garbage collection is called " + strategy + "; there are " + names());
  }

  private List<String> names() {
    List<String> names = new ArrayList<>();
    entries.forEach(entry -> names.add(entry.collector.name()));
    return names;
  }

  boolean isEmpty() {
    return entries.isEmpty();
  }

  /** Takes a message to the collector that it is for. */
  void receive(InCall call) throws IOException {
    for (Entry entry : entries) {
      if (entry.calls.areMeant(call)) {
        entry.calls.receive(call, entry.collector);
        return;
      }
    }
    CollectorCalls.refuse(call);
  }

  /** Tells the collectors about references that have come in a message. */
  void arrived(List<Object> references) {
    Map<Collector, List<ClientRef>> byCollector = new LinkedHashMap<>();
    for (Object reference : references) {
      ClientRef ref = (ClientRef) reference;
      if (!ref.id().isWellKnown()) {
        byCollector.computeIfAbsent(collectorOf(ref.callee()), c -> new ArrayList<>()).add(ref);
      }
    }
    CallDeadline outer =
        CallDeadline.enter(CallDeadline.in(TELLING_MILLIS, "owners of references are told"));
    try {
      byCollector.forEach(Collectors::arrived);
    } finally {
      CallDeadline.leave(outer);
    }
  }

  private static void arrived(Collector collector, List<ClientRef> references) {
    List<ObjectId> ids = new ArrayList<>(references.size());
    long[] credits = new long[references.size()];
    for (int i = 0; i < credits.length; i++) {
      ids.add(references.get(i).callee());
      credits[i] = references.get(i).takeCredit();
    }
    List<Object> tokens = collector.arrived(ids, credits);
    for (int i = 0; i < credits.length; i++) {
      references.get(i).setLease(tokens.get(i));
    }
  }

  private Collector collectorOf(ObjectId id) {
    Technology way = technologies.best(id);
    Collector ofDomain = way == null ? null : chosen.get(way.name());
    return ofDomain != null ? ofDomain : entries.get(0).collector;
  }

  /** Called when a reference to an object of this node is about to leave. */
  @Nullable Credit leaving(long number, Object receiver) {
    for (Entry entry : entries) {
      long credit = entry.collector.leaving(number, receiver);
      if (credit != Collector.NO_CREDIT) {
        return new Credit(entry.collector, number, credit);
      }
    }
    return null;
  }

  /** The number of this node's objects that some node holds. */
  int heldObjects() {
    int held = 0;
    for (Entry entry : entries) {
      held += entry.collector.heldObjects();
    }
    return held;
  }

  void close() {
    entries.forEach(entry -> entry.collector.close());
  }

  private static final class Entry {
    final CollectorCalls calls;
    final Collector collector;

    Entry(CollectorCalls calls, Collector collector) {
      this.calls = calls;
      this.collector = collector;
    }
  }
}
