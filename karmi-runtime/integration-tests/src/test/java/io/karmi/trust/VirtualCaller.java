package io.karmi.trust;

import io.karmi.kit.FreePort;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.rmi.registry.LocateRegistry;
import java.rmi.registry.Registry;
import java.rmi.server.UnicastRemoteObject;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** A call from a virtual thread that is interrupted while it waits. */
public final class VirtualCaller {
  private static Remote kept;
  private static Registry registry;

  private VirtualCaller() {}

  /** Takes its time. */
  public interface Slow extends Remote {
    /** Returns after a while. */
    String take(long millis) throws RemoteException;
  }

  private static final class SleepingSlow implements Slow {
    @Override
    public String take(long millis) {
      try {
        TimeUnit.MILLISECONDS.sleep(millis);
        return "returned";
      } catch (InterruptedException e) {
        return "interrupted at the callee";
      }
    }
  }

  /** Serves {@code stock} or {@code karmi}, or calls with a port behind one of them. */
  public static void main(String[] arguments) throws Exception {
    boolean karmi = arguments[0].equals("karmi");
    if (arguments.length > 1) {
      int port = Integer.parseInt(arguments[1]);
      Registry found =
          karmi
              ? io.karmi.rmi.LocateRegistry.getRegistry("127.0.0.1", port)
              : LocateRegistry.getRegistry("127.0.0.1", port);
      call((Slow) found.lookup("slow"));
      System.exit(0);
    }
    serve(karmi, FreePort.any());
  }

  private static void serve(boolean karmi, int port) throws Exception {
    kept = new SleepingSlow();
    if (karmi) {
      registry = io.karmi.rmi.LocateRegistry.createRegistry(port);
      io.karmi.rmi.UnicastRemoteObject.exportObject(kept, 0);
    } else {
      registry = LocateRegistry.createRegistry(port);
      UnicastRemoteObject.exportObject(kept, 0);
    }
    registry.rebind("slow", kept);
    System.out.println("port " + port);
  }

  private static void call(Slow slow) throws Exception {
    System.out.println("first " + slow.take(0));
    CountDownLatch over = new CountDownLatch(1);
    Runnable calling =
        () -> {
          System.out.println("outcome " + outcome(slow));
          over.countDown();
        };
    Thread caller =
        (Thread) Thread.class.getMethod("startVirtualThread", Runnable.class).invoke(null, calling);
    TimeUnit.MILLISECONDS.sleep(3000);
    caller.interrupt();
    over.await();
    System.out.println("next " + slow.take(0));
  }

  private static String outcome(Slow slow) {
    try {
      return slow.take(20_000);
    } catch (RemoteException e) {
      return e.getClass().getSimpleName() + " < " + e.getCause();
    }
  }
}
