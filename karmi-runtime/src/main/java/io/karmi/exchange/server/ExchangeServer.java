package io.karmi.exchange.server;

import io.karmi.exchange.GroupAddress;
import io.karmi.exchange.KeyTakenException;
import io.karmi.exchange.directory.Directory;
import io.karmi.exchange.directory.DroppedKey;
import io.karmi.exchange.directory.Found;
import io.karmi.exchange.directory.Joined;
import io.karmi.exchange.directory.Report;
import io.karmi.exchange.remote.Membership;
import io.karmi.exchange.remote.MetadataServer;
import io.karmi.messaging.Address;
import io.karmi.rmi.LocateRegistry;
import io.karmi.rmi.RemoteObjects;
import io.karmi.rmi.RemoteServers;
import io.karmi.rmi.UnicastRemoteObject;
import io.karmi.settings.Settings;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.rmi.AccessException;
import java.rmi.AlreadyBoundException;
import java.rmi.NoSuchObjectException;
import java.rmi.NotBoundException;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.rmi.registry.Registry;
import java.rmi.server.ExportException;
import java.rmi.server.ServerNotActiveException;
import java.rmi.server.Unreferenced;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * The server of an exchange space: an ordinary remote object, bound as {@code exchange}. It keeps
 * all in memory, and nothing on disk: after a restart at the same port members report again.
 *
 * <p>{@code karmi-exchange} runs one in a process of its own; {@link #start} runs one inside a
 * program, which may be a member of the space. Thread-safe.
 */
public final class ExchangeServer implements AutoCloseable {
  /** Time between two looks for members that are silent, in nanoseconds. */
  private static final long LOOK_NANOS = 1_000_000_000;

  /** The name in the registry. */
  public static final String NAME = "exchange";

  /** Time in milliseconds that has one generation; an int of them lasts until 2059. */
  private static final long GENERATION_MILLIS = 250;

  /** Time in milliseconds at which generations are counted from: 2025 began. */
  private static final long FIRST_MILLIS = 1_735_689_600_000L;

  /** Those that run. Exports alone keep no object alive. */
  private static final Set<ExchangeServer> RUNNING = ConcurrentHashMap.newKeySet();

  private final Registry registry;
  private final Served served;

  private ExchangeServer(Registry registry, Served served) {
    this.registry = registry;
    this.served = served;
  }

  /**
   * Starts a server at a port, with a registry if the port has none in this JVM. Members join it as
   * {@code //host:port/exchange}.
   *
   * <p>It runs until it is closed, also where the result is dropped.
   *
   * @param port 0 for any, which {@link #port()} tells: one for all of the JVM, as elsewhere in RMI
   * @throws RemoteException if the port is in use by another process, or has a server already
   */
  public static ExchangeServer start(int port) throws RemoteException {
    return start(port, Directory.QUIET_MILLIS + Settings.LEASE.get());
  }

  /** The same; members that are silent for longer have ended. */
  static ExchangeServer start(int wantedPort, long silenceMillis) throws RemoteException {
    Served served = new Served(generationNow(), silenceMillis);
    Remote stub = UnicastRemoteObject.exportObject(served, wantedPort);
    boolean started = false;
    try {
      served.begin(RemoteObjects.port(served));
      Registry registry = registryAt(wantedPort, served.port);
      registry.bind(NAME, stub);
      ExchangeServer server = new ExchangeServer(registry, served);
      RUNNING.add(server);
      started = true;
      return server;
    } catch (AlreadyBoundException e) {
      throw new ExportException(
          "this JVM has a server of an exchange space at port " + served.port, e);
    } finally {
      if (!started) {
        UnicastRemoteObject.unexportObject(served, true);
      }
    }
  }

  private static Registry registryAt(int wantedPort, int port) throws RemoteException {
    try {
      return LocateRegistry.createRegistry(wantedPort);
    } catch (ExportException e) {
      return LocateRegistry.getRegistry("localhost", port); // this JVM has one
    }
  }

  /** The number of the space is the same after a restart on that host and port. */
  private static GroupTable newTable(int port, int generation) {
    String name;
    try {
      name = InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      name = "localhost";
    }
    return new GroupTable(hash(name + ':' + port), new SecureRandom().nextLong(), generation);
  }

  private static int generationNow() {
    return (int) ((System.currentTimeMillis() - FIRST_MILLIS) / GENERATION_MILLIS);
  }

  private static long hash(String text) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
      return ByteBuffer.wrap(digest).getLong();
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("each JDK has SHA-256", e);
    }
  }

  /** No member has known another server before this one; for tests. */
  ExchangeServer withoutPredecessor() {
    served.table().withoutPredecessor();
    return this;
  }

  /** The port at which members join. */
  public int port() {
    return served.port;
  }

  /** Numbers by name: members, hosts, keys, groups, bytes, calls. */
  public Map<String, Long> stats() {
    return served.stats();
  }

  /** Ends the server. Members wait for another one at its port. */
  @Override
  public void close() {
    RUNNING.remove(this);
    try {
      registry.unbind(NAME);
      UnicastRemoteObject.unexportObject(served, true);
    } catch (RemoteException | NotBoundException e) {
      return; // it has ended already
    }
    served.members.forEach(Served::unexport);
  }

  /** What is bound. */
  private static final class Served implements MetadataServer {
    /* Both are set before it is bound. */
    private @Nullable GroupTable table;

    /** Members are exported at the server's port, at which the next server will be. */
    private int port;

    private final LongAdder calls = new LongAdder();

    /** Strong, as exported objects are not. */
    private final Set<Member> members = ConcurrentHashMap.newKeySet();

    /** The time at which the server has started. */
    private final int generation;

    private final long silenceNanos;
    private final AtomicLong looksAgainNanos = new AtomicLong(System.nanoTime());

    Served(int generation, long silenceMillis) {
      silenceNanos = TimeUnit.MILLISECONDS.toNanos(silenceMillis);
      this.generation = generation;
    }

    void begin(int ownPort) {
      port = ownPort;
      table = newTable(ownPort, generation);
    }

    @Override
    public Registration register(Address messaging, int before, boolean keeps)
        throws RemoteException {
      calls.increment();
      endSilent();
      awaitNextGeneration();
      Joined joined =
          table().register(messaging, messaging.toString().length(), before, keeps, caller());
      Member member = new Member(this, joined.member());
      members.add(member);
      return new Registration((Membership) UnicastRemoteObject.exportObject(member, port), joined);
    }

    private GroupTable table() {
      return Objects.requireNonNull(table);
    }

    /**
     * Waits until the time of this generation is over: so a server that follows has another one,
     * however soon this one is killed.
     */
    private void awaitNextGeneration() throws RemoteException {
      try {
        while (generationNow() == generation) {
          Thread.sleep(GENERATION_MILLIS - System.currentTimeMillis() % GENERATION_MILLIS);
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new RemoteException("interrupted while a member was taken in", e);
      }
    }

    private static Object caller() {
      try {
        return RemoteServers.getClientHost();
      } catch (ServerNotActiveException e) {
        return "this JVM";
      }
    }

    @Override
    public String[] list(int most) {
      calls.increment();
      return table().list(most).toArray(new String[0]);
    }

    @Override
    public Map<String, Long> stats() {
      Map<String, Long> stats = table().stats();
      stats.put("calls", calls.sum());
      return stats;
    }

    @Override
    public boolean drop(String keyOrAddress) throws RemoteException {
      calls.increment();
      checkLocal();
      try {
        boolean dropped = table().drop(keyOrAddress);
        if (dropped) {
          table().awaitHeard();
        }
        return dropped;
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new RemoteException("interrupted before all members have reported again", e);
      }
    }

    private static void checkLocal() throws AccessException {
      try {
        InetAddress client = InetAddress.getByName(RemoteServers.getClientHost());
        if (!client.isLoopbackAddress() && NetworkInterface.getByInetAddress(client) == null) {
          throw new AccessException("drop is for callers of the server's host, not for " + client);
        }
      } catch (ServerNotActiveException e) {
        return; // a caller in this JVM
      } catch (UnknownHostException | SocketException e) {
        throw new AccessException("drop is for callers of the server's host", e);
      }
    }

    /**
     * Ends members that are silent: who never says that it holds its membership has no lease that
     * could end.
     */
    private void endSilent() {
      long now = System.nanoTime();
      long at = looksAgainNanos.get();
      if (now - at >= 0 && looksAgainNanos.compareAndSet(at, now + LOOK_NANOS)) {
        for (Member each : members) {
          if (now - each.heardNanos > silenceNanos) {
            each.leave();
          }
        }
      }
    }

    static void unexport(Member member) {
      try {
        UnicastRemoteObject.unexportObject(member, true);
      } catch (NoSuchObjectException e) {
        return; // it has left
      }
    }
  }

  private static final class Member implements Membership, Unreferenced {
    private final Served server;
    private final int number;

    /** When it has asked or told anything last. */
    private volatile long heardNanos = System.nanoTime();

    Member(Served server, int number) {
      this.server = server;
      this.number = number;
    }

    private GroupTable table() {
      server.calls.increment();
      heardNanos = System.nanoTime();
      server.endSilent();
      return server.table();
    }

    @Override
    public void begin(long host, DroppedKey... dropped) throws NoSuchObjectException {
      table().begin(number, host, dropped);
    }

    @Override
    public Report.Answer update(Report changes) throws NoSuchObjectException {
      return table().update(number, changes);
    }

    @Override
    public Report.Answer bind(
        String key, GroupAddress group, boolean replace, long order, Report changes)
        throws NoSuchObjectException, KeyTakenException, InterruptedException {
      return table().bind(number, key, group, replace, order, changes);
    }

    @Override
    public void heard(GroupAddress[] unbound, GroupAddress[] dropped, int droppedKeys)
        throws NoSuchObjectException {
      table().heard(number, unbound, dropped, droppedKeys);
    }

    @Override
    public @Nullable Found lookup(String key, long waitMillis)
        throws NoSuchObjectException, InterruptedException {
      return table().lookup(number, key, waitMillis);
    }

    @Override
    public Address[] holders(GroupAddress group)
        throws NoSuchObjectException, InterruptedException {
      return table().holders(number, group);
    }

    @Override
    public void leave() {
      server.table().leave(number);
      server.members.remove(this);
      Served.unexport(this);
    }

    @Override
    public void unreferenced() {
      leave();
    }
  }
}
