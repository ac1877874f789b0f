package io.karmi.stress;

import io.karmi.rmi.LocateRegistry;
import io.karmi.rmi.UnicastRemoteObject;
import java.nio.charset.StandardCharsets;
import java.rmi.NoSuchObjectException;
import java.rmi.RemoteException;
import java.util.List;
import java.util.Random;
import java.util.Scanner;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * A holder's JVM: {@code CustomerMain <port of the registry>}. Gets items, passes them on, calls
 * and drops them, until {@code drain} comes on its standard input; then it drops all, and lives on.
 */
public final class CustomerMain implements Goods.Customer {
  private static final int SLOTS = 40;
  private static final int THREADS = 2;

  /** Static, so that it stays exported. */
  private static CustomerMain self;

  private final AtomicReferenceArray<Goods.Item> slots = new AtomicReferenceArray<>(SLOTS);
  private final AtomicInteger violations = new AtomicInteger();
  private final AtomicInteger operations = new AtomicInteger();
  private final Goods.Warehouse warehouse;
  private volatile List<Goods.Customer> others = List.of();
  private volatile boolean draining;

  private CustomerMain(Goods.Warehouse warehouse) {
    this.warehouse = warehouse;
  }

  /** Runs until the standard input ends. */
  public static void main(String[] args) throws Exception {
    int port = Integer.parseInt(args[0]);
    self =
        new CustomerMain(
            (Goods.Warehouse) LocateRegistry.getRegistry("localhost", port).lookup("warehouse"));
    UnicastRemoteObject.exportObject(self, 0);
    self.warehouse.enlist(self);
    Thread[] threads = new Thread[THREADS];
    for (int i = 0; i < THREADS; i++) {
      threads[i] = new Thread(self::trade, "trader " + i);
      threads[i].setDaemon(true);
      threads[i].start();
    }
    System.out.println("ready");
    Scanner in = new Scanner(System.in, StandardCharsets.UTF_8);
    while (in.hasNextLine()) {
      in.nextLine();
      self.drain(threads);
      System.out.println("drained " + self.violations + " " + self.operations);
    }
    System.exit(0);
  }

  private void drain(Thread[] threads) throws InterruptedException {
    draining = true;
    for (Thread thread : threads) {
      thread.join(5_000);
    }
    for (int i = 0; i < SLOTS; i++) {
      slots.set(i, null);
    }
    others = List.of();
    System.gc();
  }

  private void trade() {
    Random random = new Random();
    while (!draining) {
      try {
        operate(random);
        operations.incrementAndGet();
      } catch (NoSuchObjectException e) {
        System.out.println("no such object: a customer is gone");
      } catch (RemoteException e) {
        others = List.of(); // a process was killed
      }
    }
  }

  private void operate(Random random) throws RemoteException {
    int slot = random.nextInt(SLOTS);
    Goods.Item item = slots.get(slot);
    int choice = random.nextInt(100);
    if (choice < 25) {
      slots.set(slot, warehouse.make());
    } else if (choice < 45) {
      check(item);
    } else if (choice < 60) {
      Goods.Customer other = other(random);
      if (item != null && other != null) {
        other.take(item);
      }
    } else if (choice < 75) {
      Goods.Customer other = other(random);
      if (other != null) {
        slots.set(slot, other.give());
      }
    } else if (choice < 99) {
      slots.set(slot, null);
    } else {
      others = warehouse.customers();
      System.gc();
    }
  }

  private Goods.Customer other(Random random) {
    List<Goods.Customer> all = others;
    return all.isEmpty() ? null : all.get(random.nextInt(all.size()));
  }

  /** The warehouse lives, so what is referenced must be there. */
  private void check(Goods.Item item) throws RemoteException {
    if (item != null) {
      try {
        item.number();
      } catch (NoSuchObjectException e) {
        violations.incrementAndGet();
        System.out.println("VIOLATION " + item + ": " + e.getMessage());
      }
    }
  }

  @Override
  public void take(Goods.Item item) {
    if (!draining) {
      slots.set(ThreadLocalRandom.current().nextInt(SLOTS), item);
    }
  }

  @Override
  public Goods.Item give() {
    return slots.get(ThreadLocalRandom.current().nextInt(SLOTS));
  }
}
