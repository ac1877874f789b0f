package io.karmi.bridge;

import io.karmi.id.ObjectId;
import io.karmi.id.TechnologyId;
import io.karmi.reference.ClientRef;
import io.karmi.reference.Node;
import io.karmi.stub.StubTypes;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.ref.Reference;
import java.rmi.NoSuchObjectException;
import java.rmi.RemoteException;
import java.rmi.server.RemoteObject;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A node that has a worker of its own, and calls that of another: {@code WorkerMain <hub> <own
 * name>}. Answers each command with a line.
 */
public final class WorkerMain {
  private static final int BYTES = 300_000;

  private final Hub hub;
  private final WorkerImpl own;
  private Worker other;

  private WorkerMain(Hub hub, WorkerImpl own) {
    this.hub = hub;
    this.own = own;
  }

  /** Takes commands until it is killed. */
  public static void main(String[] arguments) throws Exception {
    Hub hub = (Hub) StoredStubs.fromText(arguments[0]);
    WorkerMain main = new WorkerMain(hub, WorkerImpl.export());
    hub.put(arguments[1], main.own.stub());
    System.out.println("ready");
    BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      String answer;
      try {
        answer = "result " + main.answer(line.split(" "));
      } catch (RemoteException | RuntimeException e) {
        answer = "result thrown " + e;
      }
      System.out.println(answer.replace('\n', ' '));
    }
  }

  private Object answer(String[] words) throws Exception {
    switch (words[0]) {
      case "get":
        other = (Worker) hub.get(words[1]);
        return other != null;
      case "put":
        WorkerImpl made = WorkerImpl.export();
        hub.put(words[1], made.stub());
        Reference.reachabilityFence(made); // the hub holds it from here on
        return true;
      case "give":
        ((Hub) StoredStubs.fromText(words[2])).put(words[1], other);
        return true;
      case "forget":
        hub.forget(words[1]);
        return true;
      case "drop":
        other = null;
        System.gc();
        return true;
      case "twice":
        return other.twice(21);
      case "hold":
        return hold(Long.parseLong(words[1]));
      case "echo":
        return echo();
      case "nest":
        return other.nest(own, 20);
      case "future":
        return other.later("text").get(60, TimeUnit.SECONDS);
      case "fail":
        return failures();
      case "hang":
        other.hang();
        return "not reached";
      case "identity":
        return identity(words[1]);
      case "direct":
        return direct();
      default:
        throw new IllegalArgumentException(words[0]);
    }
  }

  /** Calls for a while, and collects garbage between the calls. */
  private int hold(long millis) throws RemoteException {
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    int sum = 0;
    do {
      sum = other.twice(21);
      System.gc();
    } while (System.nanoTime() - end < 0);
    return sum;
  }

  private boolean echo() throws RemoteException {
    byte[] bytes = new byte[BYTES];
    Arrays.fill(bytes, (byte) 7);
    List<Object> sent = List.of("text", 1.5, List.of('x'));
    return Arrays.equals((byte[]) other.echo(bytes), bytes)
        && other.echo(sent).equals(sent)
        && other.echo(null) == null;
  }

  private String failures() throws RemoteException {
    StringBuilder all = new StringBuilder();
    try {
      other.fail();
    } catch (IOException e) {
      all.append(e);
    }
    try {
      other.failRemotely();
    } catch (RemoteException e) {
      all.append(", ").append(e.getClass().getName()).append(" of ").append(e.getCause());
    }
    return all.toString();
  }

  private String identity(String name) throws RemoteException {
    Worker again = (Worker) hub.get(name);
    Worker self = other.self();
    Object home = other.echo(own.stub());
    return again.equals(other)
        + " "
        + self.equals(other)
        + " "
        + (self.hashCode() == other.hashCode())
        + " "
        + home.equals(own.stub())
        + " "
        + id(home).technologyCount()
        + " "
        + ((Worker) home).twice(4);
  }

  private static ObjectId id(Object stub) {
    return ((ClientRef) ((RemoteObject) stub).getRef()).id();
  }

  /** Asks the bridge for the other worker by the number that this has in its own node. */
  private String direct() throws RemoteException {
    ObjectId bridge = id(hub);
    TechnologyId[] ways = new TechnologyId[bridge.technologyCount()];
    for (int i = 0; i < ways.length; i++) {
      ways[i] = bridge.technology(i);
    }
    ObjectId forged = new ObjectId(bridge.node(), id(other).number(), ways);
    ClientRef reference = Node.current().reference(forged);
    try {
      return "called " + ((Worker) StubTypes.of(Worker.class).makeStub(reference)).twice(1);
    } catch (NoSuchObjectException e) {
      return "no such object";
    }
  }
}
