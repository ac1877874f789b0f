package io.karmi.stress;

import io.karmi.rmi.LocateRegistry;
import io.karmi.rmi.UnicastRemoteObject;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.lang.ref.WeakReference;
import java.nio.charset.StandardCharsets;
import java.rmi.RemoteException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The owner's JVM: {@code WarehouseMain <port>}. Answers each {@code alive} on its standard input
 * with how many items exist.
 */
public final class WarehouseMain implements Goods.Warehouse {
  private final List<WeakReference<Goods.Item>> items = new ArrayList<>();
  private final List<Goods.Customer> customers = new ArrayList<>();
  private final AtomicInteger made = new AtomicInteger();

  private WarehouseMain() {}

  /** Serves until the standard input ends. */
  public static void main(String[] args) throws Exception {
    WarehouseMain warehouse = new WarehouseMain();
    UnicastRemoteObject.exportObject(warehouse, 0);
    LocateRegistry.createRegistry(Integer.parseInt(args[0])).bind("warehouse", warehouse);
    System.out.println("ready");
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      System.gc();
      System.out.println("alive " + warehouse.alive() + " of " + warehouse.made);
    }
    System.exit(0);
  }

  private synchronized int alive() {
    items.removeIf(item -> item.get() == null);
    return items.size();
  }

  @Override
  public Goods.Item make() throws RemoteException {
    Goods.Item item = new Numbered(made.incrementAndGet());
    UnicastRemoteObject.exportObject(item, 0);
    synchronized (this) {
      items.add(new WeakReference<>(item));
    }
    return item;
  }

  @Override
  public synchronized void enlist(Goods.Customer customer) {
    customers.add(customer);
    if (customers.size() > 6) {
      customers.remove(0);
    }
  }

  @Override
  public synchronized List<Goods.Customer> customers() {
    return new ArrayList<>(customers);
  }

  private static final class Numbered implements Goods.Item {
    private final int number;

    Numbered(int number) {
      this.number = number;
    }

    @Override
    public int number() {
      return number;
    }
  }
}
