package io.karmi.operations;

import io.karmi.Karmi;
import io.karmi.interceptor.Call;
import io.karmi.interceptor.CallInterceptor;
import io.karmi.rmi.LocateRegistry;
import io.karmi.rmi.UnicastRemoteObject;
import java.io.Serializable;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.rmi.registry.Registry;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import javax.management.openmbean.CompositeData;
import javax.management.openmbean.TabularData;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import jdk.jfr.consumer.RecordingStream;

/** A program, one of whose ends serves while the other calls and prints what it sees. */
public final class Operated {
  private static final int REGISTERED_SECONDS = 20;

  /** Three rounds of the look for a use of JMX, which registers the bean. */
  private static final int UNREGISTERED_SECONDS = 7;

  private static Service kept;

  private Operated() {}

  /** What is called. */
  public interface Service extends Remote {
    /** Gives back what it gets. */
    Object echo(Object value) throws RemoteException;

    /** Something whose type the signature does not lead to. */
    Object unexpected() throws RemoteException;

    /** Names a person. */
    String name(Person person) throws RemoteException;

    /** Persons by name. */
    Map<String, Person> byName(List<? extends Person> persons) throws RemoteException;

    /** Throws what no signature mentions. */
    void fail() throws RemoteException;

    /** Whether the call runs on a virtual thread. */
    boolean isOnVirtualThread() throws RemoteException;

    /** Completed when {@link #release} was called. */
    CompletableFuture<String> later(List<String> words) throws RemoteException;

    /** Lets the future be completed. */
    void release() throws RemoteException;

    /** A future that fails. */
    CompletableFuture<String> failing() throws RemoteException;
  }

  /** In the signatures. */
  public static class Person implements Serializable {
    private static final long serialVersionUID = 1;
    final String name;
    final List<Address> addresses = new ArrayList<>();

    Person(String name) {
      this.name = name;
      addresses.add(new Address());
    }
  }

  /** A field of a person leads to it. */
  public static final class Address implements Serializable {
    private static final long serialVersionUID = 1;
    final String street = "Main";
  }

  /** A subtype of a type in the signatures, with a field of a type that only it leads to. */
  public static final class Employee extends Person {
    private static final long serialVersionUID = 1;
    final Badge badge = new Badge();

    Employee(String name) {
      super(name);
    }
  }

  /** Only an employee leads to it. */
  public static final class Badge implements Serializable {
    private static final long serialVersionUID = 1;
  }

  private static final class Implementation implements Service {
    private final CountDownLatch released = new CountDownLatch(1);

    @Override
    public Object echo(Object value) {
      return value;
    }

    @Override
    public Object unexpected() {
      return new Gadget();
    }

    @Override
    public String name(Person person) {
      return person.name + " of " + person.addresses.get(0).street;
    }

    @Override
    public Map<String, Person> byName(List<? extends Person> persons) {
      Map<String, Person> all = new HashMap<>();
      persons.forEach(each -> all.put(each.name, each));
      return all;
    }

    @Override
    public void fail() {
      throw new Unmentioned();
    }

    @Override
    public boolean isOnVirtualThread() {
      try {
        return (Boolean) Thread.class.getMethod("isVirtual").invoke(Thread.currentThread());
      } catch (ReflectiveOperationException e) {
        return false;
      }
    }

    @Override
    public CompletableFuture<String> later(List<String> words) {
      return CompletableFuture.supplyAsync(
          () -> {
            try {
              return released.await(30, TimeUnit.SECONDS) ? String.join(" ", words) : "too late";
            } catch (InterruptedException e) {
              throw new IllegalStateException(e);
            }
          });
    }

    @Override
    public void release() {
      released.countDown();
    }

    @Override
    public CompletableFuture<String> failing() {
      return CompletableFuture.failedFuture(new java.io.IOException("on purpose"));
    }
  }

  private static final class Tracing implements CallInterceptor {
    @Override
    public Ended calling(Call call, Map<String, String> header) {
      header.put("traceparent", "00-" + call.method());
      return problem -> print("ended " + call.method() + " " + problem);
    }

    @Override
    public Ended called(Call call, Map<String, String> header) {
      print("called " + call.interfaceName() + "." + call.method() + " " + header);
      if (header.isEmpty()) {
        throw new IllegalStateException("no trace");
      }
      return problem -> print("served " + call.method() + " " + problem);
    }
  }

  /**
   * One end: {@code serve}, or {@code call <port> <what>}, or {@code call <port> network
   * <technology>}.
   */
  public static void main(String[] args) throws Exception {
    if (args[0].equals("serve")) {
      serve(args.length > 1);
    } else {
      int port = Integer.parseInt(args[1]);
      if (args[2].equals("network")) {
        network(port, args[3]);
      } else {
        call(find(port), args[2]);
      }
      System.exit(0);
    }
  }

  private static Service find(int port) throws Exception {
    return (Service) LocateRegistry.getRegistry("127.0.0.1", port).lookup("service");
  }

  private static void serve(boolean traced) throws Exception {
    if (traced) {
      Karmi.add(new Tracing());
    }
    int port;
    try (java.net.ServerSocket free = new java.net.ServerSocket(0)) {
      port = free.getLocalPort();
    }
    Registry registry = LocateRegistry.createRegistry(port);
    kept = new Implementation();
    registry.bind("service", UnicastRemoteObject.exportObject(kept, port));
    print("port " + port);
    new CountDownLatch(1).await(60, TimeUnit.SECONDS);
  }

  private static void call(Service service, String what) throws Exception {
    switch (what) {
      case "types":
        types(service);
        break;
      case "unexpected":
        observe("unexpected", () -> service.unexpected().getClass().getSimpleName());
        observe("echo", () -> service.echo("text"));
        observe("fail", () -> new ArrayList<>(service.byName(List.of(new Employee("e"))).keySet()));
        observe(
            "unmentioned",
            () -> {
              service.fail();
              return null;
            });
        break;
      case "traced":
        Karmi.add(new Tracing());
        observe("echo", () -> service.echo(1));
        observe(
            "fail",
            () -> {
              service.fail();
              return null;
            });
        break;
      case "futures":
        futures(service);
        break;
      case "pending":
        pending(service);
        break;
      case "flight":
        flight(service);
        break;
      case "bean":
        bean(service);
        break;
      case "no bean":
        service.echo("text");
        print("registered " + isRegisteredWithin(UNREGISTERED_SECONDS));
        break;
      case "virtual":
        observe("virtual", service::isOnVirtualThread);
        break;
      default:
        observe("echo", () -> service.echo("text"));
    }
  }

  private static void types(Service service) {
    observe("text", () -> service.echo("text"));
    observe(
        "values", () -> service.echo(new ArrayList<Object>(List.of(1, 2.5, new int[] {3}.length))));
    observe("date", () -> service.echo(java.time.LocalDate.of(2001, 2, 3)));
    observe("person", () -> service.name(new Person("p")));
    observe("employee", () -> service.name(new Employee("e")));
    observe("persons", () -> service.byName(new ArrayList<>(List.of(new Person("q")))).keySet());
    observe("stub", () -> service.echo(service).equals(service));
    observe("gadget", () -> service.echo(new Gadget()).getClass().getSimpleName());
    observe("hidden", () -> service.echo(new ArrayList<>(List.of(new Gadget()))).toString());
    observe("after", () -> service.echo("still there"));
  }

  private static void futures(Service service) throws Exception {
    List<String> words = new ArrayList<>(List.of("as", "it", "was"));
    CompletableFuture<String> later = service.later(words);
    words.set(2, "is");
    print("done " + later.isDone());
    observe("other", () -> service.echo("meanwhile"));
    service.release();
    observe("later", () -> later.get(30, TimeUnit.SECONDS));
    observe("failing", () -> service.failing().get(30, TimeUnit.SECONDS));
    observe("sent", () -> service.later(unserializable()).get(30, TimeUnit.SECONDS));
    observe("after", () -> service.echo("still there"));
  }

  private static void pending(Service service) throws Exception {
    CompletableFuture<String> first = service.later(List.of("a"));
    CompletableFuture<String> second = service.later(List.of("b"));
    observe("third", () -> service.later(List.of("c")).get(30, TimeUnit.SECONDS));
    service.release();
    observe("first", () -> first.get(30, TimeUnit.SECONDS));
    observe("second", () -> second.get(30, TimeUnit.SECONDS));
    observe("fourth", () -> service.later(List.of("d")).get(30, TimeUnit.SECONDS));
  }

  private static List<String> unserializable() {
    return new java.util.AbstractList<>() {
      @Override
      public String get(int index) {
        return "";
      }

      @Override
      public int size() {
        return 1;
      }
    };
  }

  private static void flight(Service service) throws Exception {
    Path file = Files.createTempFile("karmi", ".jfr");
    try (Recording recording = new Recording()) {
      service.echo("before");
      recording.enable("io.karmi.Call");
      recording.enable("io.karmi.Export");
      recording.start();
      service.echo("during");
      observe(
          "fail",
          () -> {
            service.fail();
            return null;
          });
      UnicastRemoteObject.exportObject(new Implementation(), 0);
      recording.stop();
      recording.dump(file);
      for (RecordedEvent event : RecordingFile.readAllEvents(file)) {
        String name = event.getEventType().getName();
        if (name.equals("io.karmi.Call")) {
          print(
              "event "
                  + event.getString("method").replaceAll("\\(.*", "")
                  + " "
                  + event.getString("problem")
                  + " "
                  + (event.getDuration().toNanos() > 0));
        } else if (name.startsWith("io.karmi.")) {
          print("event " + name + " " + event.getBoolean("begins"));
        }
      }
    } finally {
      Files.delete(file);
    }
  }

  /**
   * Prints the kinds of events of the network until all that are expected have been seen; of
   * connections only those of one technology count.
   */
  private static void network(int port, String technology) throws Exception {
    CountDownLatch opened = new CountDownLatch(1);
    CountDownLatch closed = new CountDownLatch(1);
    CountDownLatch sent = new CountDownLatch(1);
    CountDownLatch received = new CountDownLatch(1);
    try (RecordingStream events = new RecordingStream()) {
      events.enable("io.karmi.Connection");
      events.enable("io.karmi.CollectorMessage");
      events.onEvent(
          "io.karmi.Connection",
          event -> {
            if (!event.getBoolean("accepted")
                && event.getString("peer") != null
                && event.getString("technology").equals(technology)) {
              (event.getBoolean("begins") ? opened : closed).countDown();
            }
          });
      events.onEvent(
          "io.karmi.CollectorMessage",
          event -> {
            if (event.getInt("numbers") > 0 && event.getString("node") != null) {
              (event.getBoolean("sent") ? sent : received).countDown();
            }
          });
      events.startAsync();
      Service service = find(port);
      kept = new Implementation();
      service.echo(UnicastRemoteObject.exportObject(kept, 0));
      print("opened " + opened.await(60, TimeUnit.SECONDS));
      print("closed " + closed.await(60, TimeUnit.SECONDS));
      print("sent " + sent.await(60, TimeUnit.SECONDS));
      print("received " + received.await(60, TimeUnit.SECONDS));
    }
  }

  /** JMX is there, and a node looks for it every two seconds. */
  private static boolean isRegisteredWithin(int seconds) throws Exception {
    MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    ObjectName name = new ObjectName("io.karmi:type=Node");
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
    while (!server.isRegistered(name) && System.nanoTime() - deadline < 0) {
      TimeUnit.MILLISECONDS.sleep(20);
    }
    return server.isRegistered(name);
  }

  private static void bean(Service service) throws Exception {
    service.echo("text");
    isRegisteredWithin(REGISTERED_SECONDS);
    MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    ObjectName name = new ObjectName("io.karmi:type=Node");
    TabularData counters = (TabularData) server.getAttribute(name, "Counters");
    print("made " + callsMade(counters));
    print("objects " + ((String[]) server.getAttribute(name, "Objects")).length);
    for (String setting : (String[]) server.getAttribute(name, "Settings")) {
      print("setting " + setting);
    }
  }

  /** By all technologies. */
  private static long callsMade(TabularData counters) {
    long made = 0;
    for (Object row : counters.values()) {
      CompositeData counter = (CompositeData) row;
      if (((String) counter.get("key")).endsWith(".callsMade")) {
        made += (Long) counter.get("value");
      }
    }
    return made;
  }

  private interface Action {
    Object run() throws Exception;
  }

  private static void observe(String what, Action action) {
    try {
      print(what + " " + action.run());
    } catch (ExecutionException e) {
      print(what + " completed with " + causes(e.getCause()));
    } catch (Exception e) {
      print(what + " threw " + causes(e));
    }
  }

  private static String causes(Throwable problem) {
    StringBuilder text = new StringBuilder();
    for (Throwable each = problem; each != null; each = each.getCause()) {
      text.append(text.length() == 0 ? "" : " < ").append(each.getClass().getSimpleName());
    }
    return text.toString();
  }

  private static void print(String line) {
    synchronized (System.out) {
      System.out.println(line);
      System.out.flush();
    }
  }
}
