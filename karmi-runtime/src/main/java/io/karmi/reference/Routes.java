package io.karmi.reference;

import io.karmi.id.NodeId;
import io.karmi.id.ObjectId;
import io.karmi.technology.ApplicationCalls;
import io.karmi.technology.Technology;
import java.rmi.ConnectException;

/**
 * Routes of a node's calls: its technologies, and the short-cut to its own objects. Watching and
 * limiting of calls applies to all of them, also to those that are added later. Thread-safe.
 */
final class Routes {
  private final NodeId node;
  private final Technologies technologies;
  private final ApplicationCalls local;
  private final Watching watching;

  /** Whether calls may have a deadline, or be forwarded. */
  private volatile boolean limited;

  /** Whether every call has a deadline, and so is watched. */
  private boolean alwaysWatched;

  /**
   * The routes of a node.
   *
   * @param local the calls of its own objects
   */
  Routes(NodeId node, Technologies technologies, ApplicationCalls local, Watching watching) {
    this.node = node;
    this.technologies = technologies;
    this.local = local;
    this.watching = watching;
    local.watch(watching);
  }

  /** The route of calls of an object. */
  ApplicationCalls to(ObjectId target) throws ConnectException {
    return target.node().equals(node) ? local : technologies.require(target);
  }

  synchronized void add(Technology technology) {
    technology.watch(watching);
    if (watching.intercepts() || alwaysWatched) {
      technology.intercept();
    }
    if (limited) {
      technology.expectDeadlines();
    }
    technologies.add(technology);
  }

  /** Tells the watchers of all calls from now on. */
  synchronized void intercept() {
    local.intercept();
    technologies.forEach(Technology::intercept);
  }

  /** Enables deadlines and forwarding of calls; cheap once they are enabled. */
  void limitCalls() {
    if (!limited) {
      limitCallsOnce();
    }
  }

  private synchronized void limitCallsOnce() {
    local.expectDeadlines();
    technologies.forEach(Technology::expectDeadlines);
    limited = true;
  }

  /** Gives every call a deadline, in milliseconds, unless something else gives it a sooner one. */
  synchronized void limitCalls(long millis) {
    watching.limitCalls(millis);
    alwaysWatched = true;
    intercept();
    limitCalls();
  }
}
