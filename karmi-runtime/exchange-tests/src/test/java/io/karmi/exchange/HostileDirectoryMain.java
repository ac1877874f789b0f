package io.karmi.exchange;

import io.karmi.exchange.directory.DroppedKey;
import io.karmi.exchange.directory.Found;
import io.karmi.exchange.directory.Joined;
import io.karmi.exchange.directory.Report;
import io.karmi.exchange.remote.Membership;
import io.karmi.exchange.remote.MetadataServer;
import io.karmi.messaging.Address;
import io.karmi.rmi.LocateRegistry;
import io.karmi.rmi.UnicastRemoteObject;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.lang.reflect.Field;
import java.nio.charset.StandardCharsets;
import java.rmi.registry.Registry;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;

/**
 * A directory that lies. The key that is looked up says how; what it answers to reports and to
 * those who join is said by lines of its input, {@code update KIND} and {@code register KIND}.
 */
public final class HostileDirectoryMain implements MetadataServer {
  /** How many holders of a group it names at most. */
  static final int HOLDERS = 20_000;

  private static final int GENERATION = 77;
  private static final GroupAddress GROUP = new GroupAddress(5, 5, GENERATION);

  /** Strong, as exported objects are not. */
  private static final List<Object> EXPORTED = new ArrayList<>();

  private final int port;
  private final Set<GroupAddress> told = ConcurrentHashMap.newKeySet();
  private volatile String registering = "honest";
  private volatile String reporting = "honest";
  private int members;

  private HostileDirectoryMain(int port) {
    this.port = port;
  }

  /**
   * The program.
   *
   * @param arguments port
   */
  public static void main(String... arguments) throws Exception {
    int port = Integer.parseInt(arguments[0]);
    HostileDirectoryMain liar = new HostileDirectoryMain(port);
    Registry registry = LocateRegistry.createRegistry(port);
    registry.rebind("exchange", UnicastRemoteObject.exportObject(liar, port));
    EXPORTED.add(registry);
    EXPORTED.add(liar);
    System.out.println("listens");
    new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))
        .lines()
        .forEach(liar::tell);
  }

  private void tell(String line) {
    String[] words = line.split(" ");
    if (words[0].equals("register")) {
      registering = words[1];
    } else {
      reporting = words[1];
    }
    System.out.println("lies " + line);
  }

  /** An object that no constructor has seen: all that it has is null. */
  private static <T> T empty(Class<T> type) {
    try {
      Class<?> unsafe = Class.forName("sun.misc.Unsafe");
      Field instance = unsafe.getDeclaredField("theUnsafe");
      instance.setAccessible(true);
      Object made =
          unsafe.getMethod("allocateInstance", Class.class).invoke(instance.get(null), type);
      return type.cast(made);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void never() {
    try {
      new CountDownLatch(1).await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Nodes that do not run. */
  private static Address[] holders(int count) {
    Address[] holders = new Address[count];
    for (int i = 0; i < count; i++) {
      holders[i] = Address.at("127.0.0." + (1 + i % 250), 1 + i / 250);
    }
    return holders;
  }

  @Override
  @SuppressWarnings("NullAway")
  public Registration register(Address messaging, int before, boolean keeps)
      throws java.rmi.RemoteException {
    switch (registering) {
      case "nothing":
        return null;
      case "empty":
        return empty(Registration.class);
      default:
        Lying lying = new Lying(++members);
        EXPORTED.add(lying);
        return new Registration(
            (Membership) UnicastRemoteObject.exportObject(lying, port),
            new Joined(lying.number, GENERATION, 99, 1));
    }
  }

  @Override
  public String[] list(int most) {
    return new String[0];
  }

  @Override
  public Map<String, Long> stats() {
    return Map.of();
  }

  @Override
  public boolean drop(String keyOrAddress) {
    return false;
  }

  /** What one member asks. */
  private final class Lying implements Membership {
    final int number;

    Lying(int number) {
      this.number = number;
    }

    @Override
    public void begin(long host, DroppedKey... dropped) {}

    @Override
    @SuppressWarnings("NullAway")
    public Report.Answer update(Report changes) {
      told.addAll(List.of(changes.files()));
      GroupAddress[] free = {};
      int departed = 0;
      switch (reporting) {
        case "nothing":
          return null;
        case "empty":
          return empty(Report.Answer.class);
        case "hole":
          GroupAddress[] hole = {GROUP};
          Report.Answer answer = new Report.Answer(hole, 0, 0);
          hole[0] = null;
          return answer;
        case "late":
          never();
          break;
        case "error":
          throw new StackOverflowError("not really");
        case "all": // is of no use any more, and is told of
          told.addAll(extremes());
          free = told.toArray(free);
          departed = -free.length;
          break;
        default:
      }
      return new Report.Answer(free, free, free, new DroppedKey[0], departed, 0);
    }

    @Override
    public Report.Answer bind(
        String key, GroupAddress group, boolean replace, long order, Report changes) {
      return update(changes);
    }

    @Override
    public void heard(GroupAddress[] unbound, GroupAddress[] dropped, int droppedKeys) {}

    @Override
    @SuppressWarnings("NullAway")
    public Found lookup(String key, long waitMillis) {
      switch (key) {
        case "empty":
          return empty(Found.class);
        case "hole":
          Address[] hole = {Address.at("127.0.0.1", 1)};
          Found found = new Found(GROUP, hole);
          hole[0] = null;
          return found;
        case "many":
          return new Found(GROUP, HostileDirectoryMain.holders(HOLDERS));
        case "error":
          throw new StackOverflowError("not really");
        default:
          return new Found(
              key.startsWith("extreme")
                  ? extremes().get(Integer.parseInt(key.substring(8)))
                  : GROUP,
              new Address[0]);
      }
    }

    @Override
    public Address[] holders(GroupAddress group) {
      if (group.sequence() == LATE.sequence()) {
        never();
      }
      return HostileDirectoryMain.holders(group.equals(GROUP) ? HOLDERS : 0);
    }

    @Override
    public void leave() {}
  }

  /** A group whose holders it never names. */
  static final GroupAddress LATE = new GroupAddress(6, 6, GENERATION);

  /** Groups of all members, in the files of which they may be. */
  static List<GroupAddress> extremes() {
    List<GroupAddress> all = new ArrayList<>();
    for (int member : new int[] {0, 1, -1, Integer.MIN_VALUE}) {
      for (long sequence : new long[] {0, -1, Long.MIN_VALUE, 1L << 62, (1L << 62) + 100}) {
        all.add(new GroupAddress(member, sequence, GENERATION));
        all.add(new GroupAddress(member, sequence, -1));
      }
    }
    return all;
  }
}
