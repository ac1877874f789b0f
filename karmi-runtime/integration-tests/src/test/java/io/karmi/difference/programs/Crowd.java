package io.karmi.difference.programs;

import java.rmi.Remote;
import java.rmi.RemoteException;
import java.rmi.registry.LocateRegistry;
import java.rmi.registry.Registry;
import java.rmi.server.UnicastRemoteObject;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/** Many callers at once, and exports in rapid succession. */
public final class Crowd implements Program {
  private static final int GUESTS = 400;
  private static final int CALLERS = 200;
  private static final int ROUNDS = 5;

  /** Waits until all callers are there. */
  public interface Room extends Remote {
    int enter() throws RemoteException;

    void notify(Guest guest) throws RemoteException;
  }

  /** Called back. */
  public interface Guest extends Remote {
    void welcome(int number) throws RemoteException;
  }

  static final class RoomObject implements Room {
    private final AtomicInteger entered = new AtomicInteger();
    private final CountDownLatch full = new CountDownLatch(GUESTS);

    @Override
    public int enter() throws RemoteException {
      full.countDown();
      try {
        full.await();
      } catch (InterruptedException e) {
        throw new RemoteException("interrupted", e);
      }
      return entered.incrementAndGet();
    }

    @Override
    public void notify(Guest guest) throws RemoteException {
      guest.welcome(entered.get());
    }
  }

  static final class GuestObject implements Guest {
    final AtomicInteger welcomes = new AtomicInteger();

    @Override
    public void welcome(int number) {
      welcomes.incrementAndGet();
    }
  }

  /** Static, so that no collector takes it. */
  private static RoomObject room;

  @Override
  public void serve(int port, Consumer<String> observed) throws Exception {
    Registry registry = LocateRegistry.createRegistry(port);
    room = new RoomObject();
    registry.bind("room", UnicastRemoteObject.exportObject(room, 0));
    for (int i = 0; i < 5000; i++) {
      GuestObject guest = new GuestObject();
      UnicastRemoteObject.exportObject(guest, 0);
      if (!UnicastRemoteObject.unexportObject(guest, false)) {
        observed.accept("not unexported: " + i);
      }
    }
    observed.accept("exported and unexported");
  }

  @Override
  public void call(int port, Consumer<String> observed) throws Exception {
    Room found = (Room) LocateRegistry.getRegistry("localhost", port).lookup("room");
    ExecutorService callers = Executors.newFixedThreadPool(GUESTS);
    List<Future<Integer>> entries = new ArrayList<>();
    for (int i = 0; i < GUESTS; i++) {
      entries.add(callers.submit(found::enter));
    }
    long sum = 0;
    for (Future<Integer> entry : entries) {
      sum += entry.get();
    }
    observed.accept("all entered: " + sum);
    GuestObject guest = new GuestObject();
    Guest stub = (Guest) UnicastRemoteObject.exportObject(guest, 0);
    List<Future<?>> notices = new ArrayList<>();
    for (int i = 0; i < CALLERS; i++) {
      notices.add(
          callers.submit(
              () -> {
                for (int round = 0; round < ROUNDS; round++) {
                  found.notify(stub);
                }
                return null;
              }));
    }
    for (Future<?> notice : notices) {
      notice.get();
    }
    observed.accept("welcomes: " + guest.welcomes.get());
    callers.shutdown();
    UnicastRemoteObject.unexportObject(guest, true);
  }
}
